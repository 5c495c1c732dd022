/** Cables, ports and phones: what loses phones one by one, and what only looks like it. */
import { ordinaryLife } from '../ordinary-life.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

const pinned = (lab: SceneLab, phones = lab.usbPhones): ScenePhone => {
  const phone = lab.random.pick(phones.filter(({ isPinned }) => !isPinned));
  phone.isPinned = true;
  return phone;
};

/** A loose contact closes again by itself. */
const brief = (lab: SceneLab) => ({ awayMs: Math.round(lab.random.between(1, 25) * SECOND) });

/** Back when somebody who works has seen it. */
const reseated = (lab: SceneLab, at: number) => {
  const hoursAway = [0, 1, 2, 3, 4].map((days) => lab.workingTime((lab.now - at) / DAY - days) - at);
  return { awayMs: Math.min(...hoursAway.filter((away) => away > 10 * MINUTE), 5 * DAY) };
};

/** Phones one after the other in a port, each lost there so often, then taken to another port. */
function tryPhonesAt(lab: SceneLab, phones: readonly ScenePhone[], losses: number): void {
  const [first] = phones;
  if (!first) return;
  const port = lab.portOf(first, lab.start);
  const turns = lab.times(phones.length * losses, 9 * DAY, { apartMs: 5 * HOUR });
  for (const [turn, phone] of phones.entries()) {
    const own = turns.slice(turn * losses, (turn + 1) * losses);
    const [from = lab.now, until = own.at(-1) ?? lab.now] = [own[0], own.at(-1)];
    if (turn > 0) lab.lose(phone, from - 2 * HOUR, { awayMs: 5 * MINUTE, to: port });
    for (const at of own) lab.lose(phone, at, brief(lab));
    const [away] = lab.random.shuffled(lab.freePorts(until));
    if (turn < phones.length - 1 && away) lab.lose(phone, until + HOUR, { awayMs: 5 * MINUTE, to: away });
  }
}

export const stories: Story[] = [
  {
    name: 'a loose cable drops its phone for seconds, three to six times in nine days',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(3, 6), 9 * DAY)) lab.lose(phone, at, brief(lab));
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a loose cable drops its phone six to nine times in four weeks',
    tell(lab) {
      const phone = pinned(lab);
      const times = lab.times(lab.random.whole(5, 8), 28 * DAY);
      for (const at of [...times, ...lab.times(1, 5 * DAY)]) lab.lose(phone, at, brief(lab));
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a broken cable drops its phone all the time, and is sometimes offline only',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(20, 60), 3 * DAY, { untilMs: 2 * HOUR }))
        lab.lose(phone, at, { ...brief(lab), ...(lab.random.chance(0.3) && { as: 'offline' as const }) });
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a cable that passes power but hardly data: offline for minutes',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(4, 8), 9 * DAY, { apartMs: 30 * MINUTE }))
        lab.lose(phone, at, { as: 'offline', awayMs: Math.round(lab.random.between(20, 600) * SECOND) });
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'three phones, one after the other, are lost at one port',
    tell(lab) {
      const phones = [pinned(lab), pinned(lab), pinned(lab)];
      const key = lab.portKey(phones[0] as ScenePhone, lab.start);
      tryPhonesAt(lab, phones, lab.random.whole(1, 2));
      lab.expect('PORT_UNSTABLE', key);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'the same phone is lost at any hour, and each time somebody re-seats the cable',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(9, 12), 28 * DAY, { apartMs: 30 * HOUR }))
        lab.lose(phone, at, reseated(lab, at));
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a cable was swapped, and the phone is lost again and again all the same',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(4, 20 * DAY, { untilMs: 12 * DAY })) lab.lose(phone, at, brief(lab));
      lab.phone(phone, lab.now - 10 * DAY, { kind: 'note', text: 'swapped cable' });
      for (const at of lab.times(lab.random.whole(4, 6), 8 * DAY)) lab.lose(phone, at, brief(lab));
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a phone is lost in every port that it was moved to',
    tell(lab) {
      const phone = pinned(lab);
      const times = lab.times(lab.random.whole(5, 9), 12 * DAY, { apartMs: 4 * HOUR });
      const moves = [Math.floor(times.length / 3), Math.floor((2 * times.length) / 3)];
      for (const [index, at] of times.entries()) {
        if (moves.includes(index)) {
          const to = lab.random.pick(lab.freePorts(at - 2 * HOUR));
          lab.lose(phone, at - 2 * HOUR, { awayMs: 3 * MINUTE, to });
        }
        lab.lose(phone, at, brief(lab));
      }
      lab.expect('PHONE_UNSTABLE', phone.udid);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'three loose cables in one lab, and one bad phone',
    tell(lab) {
      const cables = [pinned(lab), pinned(lab), pinned(lab)];
      for (const phone of cables)
        for (const at of lab.times(lab.random.whole(6, 12), 9 * DAY)) lab.lose(phone, at, brief(lab));
      const bad = pinned(lab);
      for (const at of lab.times(10, 14 * DAY, { apartMs: 4 * HOUR })) {
        const [to] = lab.random.shuffled(lab.freePorts(at - HOUR));
        lab.lose(bad, at - HOUR, { awayMs: 3 * MINUTE, ...(to && { to }) });
        lab.lose(bad, at, brief(lab));
      }
      for (const phone of cables) lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      lab.expect('PHONE_UNSTABLE', bad.udid);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  // what only looks like it
  {
    name: 'one person unplugs a phone each evening and brings it back in the morning',
    tell(lab) {
      const phone = pinned(lab);
      for (let days = 29; days > 0; days -= 1) {
        const at = Math.round(lab.clock(days, 18 + lab.random.between(0, 0.8)));
        if (lab.random.chance(0.75))
          lab.lose(phone, at, { awayMs: Math.round(lab.random.between(14.5, 15.5) * HOUR) });
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'a tester takes one phone almost every day, for some hours',
    tell(lab) {
      const phone = pinned(lab);
      for (let days = 29; days > 0; days -= 1)
        lab.lose(phone, lab.workingTime(days), { awayMs: Math.round(lab.random.between(0.3, 6) * HOUR) });
      ordinaryLife(lab);
    },
  },
  {
    name: 'testers change phones at one port all day',
    tell(lab) {
      const [first, ...others] = [pinned(lab), pinned(lab), pinned(lab), pinned(lab)];
      const port = lab.portOf(first as ScenePhone, lab.start);
      let sitting = first as ScenePhone;
      for (let days = 20; days > 1; days -= 2) {
        const at = lab.workingTime(days);
        const next = lab.random.pick([first, ...others].filter((each) => each !== sitting)) as ScenePhone;
        const [free] = lab.random.shuffled(lab.freePorts(at));
        if (!free) break;
        const isGone = lab.lose(sitting, at, { awayMs: 4 * MINUTE, to: free });
        if (isGone && lab.lose(next, at + MINUTE, { awayMs: 5 * MINUTE, to: port })) sitting = next;
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'a loose cable was swapped, and all has been calm since',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(3, 9), 12 * DAY, { untilMs: 4 * DAY }))
        lab.lose(phone, at, brief(lab));
      const at = Math.round(lab.now - lab.random.between(1, 3.9) * DAY);
      lab.phone(phone, at, { kind: 'note', text: 'swapped cable', by: 'asha' });
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'a loose cable has held for two weeks',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(3, 9), 28 * DAY, { untilMs: 14 * DAY }))
        lab.lose(phone, at, brief(lab));
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'a phone that was lost in every port was repaired in a maintenance',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(5, 16 * DAY, { untilMs: 7 * DAY, apartMs: 4 * HOUR })) {
        const [to] = lab.random.shuffled(lab.freePorts(at - HOUR));
        lab.lose(phone, at - HOUR, { awayMs: 3 * MINUTE, ...(to && { to }) });
        lab.lose(phone, at, brief(lab));
      }
      const at = lab.now - 5 * DAY;
      lab.phone(phone, at, { kind: 'maintenance', until: at + DAY, reason: 'new USB board' });
      lab.phone(phone, at + 20 * HOUR, { kind: 'maintenanceEnded' });
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'somebody works on a phone in a maintenance and plugs it again and again',
    tell(lab) {
      const phone = pinned(lab);
      const at = lab.now - lab.random.between(0.1, 6) * DAY;
      lab.phone(phone, Math.round(at), { kind: 'maintenance', until: at + DAY, reason: 'battery' });
      for (let turn = 1; turn < 9; turn += 1) lab.lose(phone, Math.round(at + turn * 4 * MINUTE), brief(lab));
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'somebody plugs a new phone in three times until it is charged and allowed',
    tell(lab) {
      const phone = pinned(lab);
      const at = lab.workingTime(lab.random.between(1, 20));
      lab.lose(phone, at, { awayMs: 8 * SECOND });
      lab.lose(phone, at + MINUTE, { awayMs: 30 * SECOND, backAs: 'unauthorized' });
      lab.phone(phone, at + 2 * MINUTE, { kind: 'state', state: 'device', before: 'unauthorized' });
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
];
