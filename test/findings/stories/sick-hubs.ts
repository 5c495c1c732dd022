/** Hubs that lose their phones one by one, over days, and what only looks like it. */
import { ordinaryLife } from '../ordinary-life.ts';
import { type Hub, sharedHub } from '../room.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

const brief = (lab: SceneLab) => ({ awayMs: Math.round(lab.random.between(1, 25) * SECOND) });

/** Ordinary life leaves its phones where they are. */
function fullHub(lab: SceneLab, without?: Hub): { hub: Hub; phones: ScenePhone[]; key: string } {
  const hubs = lab.hubs.filter((hub) => hub !== without && lab.phonesOf(hub).length >= 5);
  const hub = hubs.length > 0 ? lab.random.pick(hubs) : lab.hubWith(5);
  const phones = lab.phonesOf(hub);
  for (const phone of phones) phone.isPinned = true;
  const ports = phones.map((phone) => lab.portOf(phone));
  return { hub, phones, key: sharedHub(ports, lab.known) ?? '' };
}

/** Each phone so often on average, one at a time. */
function drop(lab: SceneLab, phones: readonly ScenePhone[], each: number, withinMs: number): void {
  const times = lab.times(Math.round(phones.length * each), withinMs, { apartMs: 20 * MINUTE });
  const turns = times.flatMap((_, index) => phones[index % phones.length] ?? []);
  const order = lab.random.shuffled(turns);
  for (const [index, at] of times.entries()) lab.lose(order[index] as ScenePhone, at, brief(lab));
}

export const stories: Story[] = [
  {
    name: 'a hub with a bad supply loses its phones one by one, the other hubs do well',
    tell(lab) {
      const { phones, key } = fullHub(lab);
      drop(lab, phones, lab.random.between(1.8, 3), 9 * DAY);
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a hub without its supply: since today each of its phones drops out every few minutes',
    tell(lab) {
      const { phones, key } = fullHub(lab);
      for (const phone of phones) {
        for (let at = lab.now - 2 * HOUR; at < lab.now - MINUTE; at += lab.random.whole(3, 10) * MINUTE)
          lab.lose(phone, at + lab.random.whole(0, 40) * SECOND, brief(lab));
        lab.expect('FLAPPING', phone.udid);
      }
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a hub loses each of its phones several times a week, some of them offline only',
    tell(lab) {
      const { phones, key } = fullHub(lab);
      const times = lab.times(phones.length * 5, 12 * DAY, { apartMs: 20 * MINUTE });
      for (const at of times)
        lab.lose(lab.random.pick(phones), at, {
          ...brief(lab),
          ...(lab.random.chance(0.3) && { as: 'offline' as const }),
        });
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'two hubs of a lab lose their phones one by one',
    tell(lab) {
      const one = fullHub(lab);
      const other = fullHub(lab, one.hub);
      drop(lab, one.phones, 3, 9 * DAY);
      lab.expect('HUB_UNSTABLE', one.key);
      const rest = lab.usbPhones.length - one.phones.length - other.phones.length;
      // with no hub left that does well, nothing tells the two from the host
      if (other.hub !== one.hub && rest >= 10) {
        drop(lab, other.phones, 3, 9 * DAY);
        lab.expect('HUB_UNSTABLE', other.key);
      }
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  {
    name: 'a hub loses its phones one by one, and a cable at another one is loose',
    tell(lab) {
      const { hub, phones, key } = fullHub(lab);
      const cable = lab.random.pick(lab.usbPhones.filter((phone) => !hub.ports.includes(lab.portOf(phone))));
      cable.isPinned = true;
      drop(lab, phones, 2.5, 9 * DAY);
      for (const at of lab.times(6, 9 * DAY)) lab.lose(cable, at, brief(lab));
      lab.expect('HUB_UNSTABLE', key);
      lab.expect('PORT_UNSTABLE', lab.portKey(cable));
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  // what only looks like it
  {
    name: 'a flapping phone is moved over the ports of a hub',
    tell(lab) {
      const { hub, phones } = fullHub(lab);
      const [phone, ...others] = phones as [ScenePhone, ...ScenePhone[]];
      // the others leave it free ports
      for (const other of others.slice(0, 2)) {
        const [to] = lab.random.shuffled(
          lab.freePorts(lab.start + HOUR).filter((port) => !hub.ports.includes(port)),
        );
        if (to) lab.lose(other, lab.start + HOUR, { awayMs: 5 * MINUTE, to });
      }
      for (const at of lab.times(10, 9 * DAY, { apartMs: 4 * HOUR })) {
        const [to] = lab.random.shuffled(lab.freePorts(at - HOUR).filter((port) => hub.ports.includes(port)));
        lab.lose(phone, at - HOUR, { awayMs: 3 * MINUTE, ...(to && { to }) });
        lab.lose(phone, at, brief(lab));
      }
      lab.expect('PHONE_UNSTABLE', phone.udid);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a lab where all hubs lose their phones alike',
    tell(lab) {
      ordinaryLife(lab, { glitches: 1.5 });
    },
  },
  {
    name: 'the phones of all hubs are lost one by one in a hot week',
    tell(lab) {
      drop(lab, lab.usbPhones, 1, 7 * DAY);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'somebody plugs all cables of a hub anew in an afternoon',
    tell(lab) {
      const { phones } = fullHub(lab);
      let at = lab.workingTime(lab.random.between(1, 9));
      for (let round = 0; round < 2; round += 1)
        for (const phone of phones) {
          lab.lose(phone, Math.round(at), brief(lab));
          at += lab.random.between(1, 12) * MINUTE;
        }
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  {
    name: 'a hub that lost its phones one by one was replaced, and all has been calm since',
    tell(lab) {
      const { phones } = fullHub(lab);
      const times = lab.times(phones.length * 2, 16 * DAY, { untilMs: 5 * DAY, apartMs: 20 * MINUTE });
      for (const [index, at] of times.entries())
        lab.lose(phones[index % phones.length] as ScenePhone, at, brief(lab));
      const [{ chain, bus, controller }] = [lab.portOf(phones[0] as ScenePhone)];
      const top = chain.slice(0, chain.indexOf('.'));
      const hub = lab.known.usbPath ? `${controller}-usb-0:${top}` : `${bus}-${top}`;
      lab.note(lab.now - 4 * DAY, { hub }, 'new hub');
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'two loose cables at one hub',
    tell(lab) {
      const { phones } = fullHub(lab);
      const [one, other] = phones as [ScenePhone, ScenePhone];
      for (const phone of [one, other]) {
        for (const at of lab.times(6, 9 * DAY)) lab.lose(phone, at, brief(lab));
        lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      }
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
];
