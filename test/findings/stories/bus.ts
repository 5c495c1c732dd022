/** What only USB can tell: which of phone, port, hub and adb it was. */
import type { PhoneHappening } from '../../../src/history/events/event.ts';
import { hubsAbove } from '../../../src/history/events/where.ts';
import { ordinaryLife } from '../ordinary-life.ts';
import { keyOf, sharedHub, whereOf } from '../room.ts';
import { DAY, HOUR, type Loss, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

type Shown = Omit<Extract<PhoneHappening, { kind: 'usb' }>, 'kind'>;

/** A phone that is lost, and what USB shows two seconds later. */
function lose(lab: SceneLab, phone: ScenePhone, at: number, shown: Shown, loss: Loss = {}): void {
  if (lab.lose(phone, at, loss) && at + 2 * SECOND <= lab.now)
    lab.phone(phone, at + 2 * SECOND, { kind: 'usb', ...shown });
}

const pinned = (lab: SceneLab): ScenePhone => {
  const phone = lab.random.pick(lab.usbPhones);
  phone.isPinned = true;
  return phone;
};

const ofOneHub = (lab: SceneLab): ScenePhone[] => {
  const phones = lab.phonesOf(lab.hubWith(4));
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** The hub right above, as the recorder names it. */
const hubKey = (lab: SceneLab, phone: ScenePhone): string =>
  hubsAbove(whereOf(lab.portOf(phone), lab.known))[0] ?? keyOf(lab.portOf(phone), lab.known);

export const stories: Story[] = [
  {
    name: 'a hub with a single phone left USB at night',
    tell(lab) {
      const groups = [...Map.groupBy(lab.usbPhones, (phone) => hubKey(lab, phone))].filter(
        ([hub, some]) =>
          some.length === 1 && !lab.usbPhones.some((phone) => hubKey(lab, phone).startsWith(`${hub}.`)),
      );
      const [hub, [phone] = []] = groups[0] ?? [];
      if (hub !== undefined && phone !== undefined) {
        phone.isPinned = true;
        const midnight = Math.floor(lab.workingTime(lab.random.between(1.5, 4)) / DAY) * DAY;
        lose(lab, phone, Math.round(midnight + lab.random.between(0.5, 3) * HOUR), { gone: 'hub', hub });
        lab.expect('HUB_LOST', hub);
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'the ports of a hub lose their power while people are there, and the hub stays',
    tell(lab) {
      const at = lab.workingTime(lab.random.between(1.5, 4));
      const phones = ofOneHub(lab);
      for (const [index, phone] of phones.entries()) lose(lab, phone, at + index * 100, { gone: 'phone' });
      const ports = phones.map((phone) => lab.portOf(phone));
      lab.expect('HUB_LOST', sharedHub(ports, lab.known));
      ordinaryLife(lab);
    },
  },
  {
    name: 'adb loses all phones of a hub, which USB shows all the time',
    tell(lab) {
      const at = lab.now - lab.random.whole(5, 50) * MINUTE;
      for (const [index, phone] of ofOneHub(lab).entries())
        lose(lab, phone, at + index * 200, { gone: 'nothing' });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone hangs at its port again and again, and stays on USB',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(7, 8 * DAY, { apartMs: HOUR }))
        lose(lab, phone, at, { gone: 'nothing' }, { as: 'offline', awayMs: 2 * MINUTE });
      lab.expect('PHONE_UNSTABLE', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a port cuts its power, and somebody plugs the phone in anew each time',
    tell(lab) {
      const phone = pinned(lab);
      for (const daysAgo of [1, 3, 5, 8])
        lose(
          lab,
          phone,
          lab.workingTime(daysAgo),
          { gone: 'phone', overCurrents: 1 },
          { awayMs: 20 * MINUTE },
        );
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'another adb server takes two phones again and again',
    tell(lab) {
      for (const phone of [pinned(lab), pinned(lab)])
        for (const at of lab.times(5, 7 * DAY, { apartMs: 2 * HOUR }))
          lose(lab, phone, at, { gone: 'nothing' }, { awayMs: lab.random.between(4, 40) * MINUTE });
      lab.expect('ADB_LOSES_PHONES', '');
      ordinaryLife(lab);
    },
  },
  {
    name: 'a port loses its phone, each time when a script restarts adb',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(7, 8 * DAY, { apartMs: 2 * HOUR })) {
        lab.host(at - 10 * SECOND, { kind: 'adbReplaced' });
        lose(lab, phone, at, { gone: 'phone' }, { awayMs: 6 * SECOND });
      }
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a test changes the USB mode of a phone each hour',
    tell(lab) {
      const phone = pinned(lab);
      const modes = { interfaces: '06/01/01', interfacesBefore: '06/01/01 ff/42/01' };
      for (let hour = 1; hour < 8; hour += 1)
        lose(lab, phone, lab.now - hour * HOUR, { gone: 'phone', ...modes }, { awayMs: 40 * SECOND });
      ordinaryLife(lab);
    },
  },
];
