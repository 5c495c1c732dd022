/** Hubs: all phones of one at once, and what only looks like it. */
import { ordinaryLife } from '../ordinary-life.ts';
import { type Hub, sharedHub } from '../room.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

/** A hub with its phones, which ordinary life leaves in it. */
function phonesOfAHub(lab: SceneLab, least = 4): { hub: Hub; phones: ScenePhone[]; key: string } {
  const hub = lab.hubWith(least);
  const phones = lab.phonesOf(hub);
  for (const phone of phones) phone.isPinned = true;
  const ports = phones.map((phone) => lab.portOf(phone));
  return { hub, phones, key: sharedHub(ports, lab.known) ?? '' };
}

const back = (lab: SceneLab) => Math.round(lab.random.between(4, 60) * SECOND);

export const stories: Story[] = [
  {
    name: 'a hub died some time ago',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      const at = Math.round(lab.now - lab.random.between(2 * MINUTE, 8 * HOUR));
      lab.loseTogether(phones, at);
      lab.expectHubLost(at, key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a hub dies over some seconds',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab, 5);
      const at = Math.round(lab.now - lab.random.between(2 * MINUTE, 30 * MINUTE));
      lab.loseTogether(phones, at, { spreadMs: phones.length * 500 });
      lab.expectHubLost(at, key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a hub died half a minute ago',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      const at = Math.round(lab.now - lab.random.between(20, 50) * SECOND);
      lab.loseTogether(phones, at);
      lab.expectHubLost(at, key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'one chip of a hub died',
    tell(lab) {
      const chips = lab.hubs
        .flatMap((hub) => [...Map.groupBy(lab.phonesOf(hub), (phone) => chipOf(lab, phone)).entries()])
        .filter(
          ([chip, phones]) =>
            phones.length >= 3 && !lab.usbPhones.some((phone) => chipOf(lab, phone).startsWith(`${chip}.`)),
        )
        .map(([, phones]) => phones);
      if (chips.length > 0) {
        const phones = lab.random.pick(chips);
        for (const phone of phones) phone.isPinned = true;
        const at = Math.round(lab.now - lab.random.between(5 * MINUTE, 8 * HOUR));
        lab.loseTogether(phones, at);
        const ports = phones.map((phone) => lab.portOf(phone));
        lab.expectHubLost(at, sharedHub(ports, lab.known));
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'a dying hub loses all its phones again and again',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      for (const at of lab.times(lab.random.whole(4, 8), 9 * DAY, { apartMs: 30 * MINUTE }))
        lab.loseTogether(phones, at, { spreadMs: lab.random.pick([300, 1000, 2500]), awayMs: back(lab) });
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a hub lost all its phones three times in four weeks',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      const times = [...lab.times(2, 27 * DAY, { untilMs: 6 * DAY, apartMs: DAY }), ...lab.times(1, 5 * DAY)];
      for (const at of times) lab.loseTogether(phones, at, { awayMs: back(lab) });
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a hub flickers for an hour',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      for (const at of lab.times(7, HOUR, { untilMs: 5 * MINUTE, apartMs: 6 * MINUTE }))
        lab.loseTogether(phones, at, { awayMs: 5 * SECOND, backSpreadMs: SECOND });
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a dying hub is now dead',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      for (const at of lab.times(4, 8 * DAY, { untilMs: DAY, apartMs: HOUR }))
        lab.loseTogether(phones, at, { awayMs: back(lab) });
      lab.loseTogether(phones, Math.round(lab.now - lab.random.between(0.1, 20) * HOUR));
      lab.expect('HUB_UNSTABLE', key);
      // what was told before says that it is no hand
      lab.expect('HUB_LOST', key);
      ordinaryLife(lab, { taken: 0.3 });
    },
  },
  {
    name: 'a hub hangs: its phones are offline for minutes, then gone, then back one by one',
    tell(lab) {
      const { phones, key } = phonesOfAHub(lab);
      for (const at of lab.times(4, 9 * DAY, { apartMs: HOUR }))
        for (const [index, phone] of phones.entries()) {
          const from = at + index * 200;
          const awayMs = 4 * MINUTE + index * 9 * SECOND;
          if (!lab.isFree(phone, from, from + awayMs)) continue;
          phone.busy.push({ from, to: from + awayMs });
          lab.phone(phone, from, { kind: 'state', state: 'offline', before: 'device' });
          lab.phone(phone, from + 2 * MINUTE, { kind: 'detached' });
          lab.phone(phone, from + awayMs, { kind: 'attached', state: 'offline' });
          lab.phone(phone, from + awayMs + 400, { kind: 'state', state: 'device', before: 'offline' });
        }
      lab.expect('HUB_UNSTABLE', key);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a dying hub, and a loose cable at another one',
    tell(lab) {
      const { hub, phones, key } = phonesOfAHub(lab);
      const cable = lab.random.pick(lab.usbPhones.filter((phone) => !hub.ports.includes(lab.portOf(phone))));
      cable.isPinned = true;
      for (const at of lab.times(4, 9 * DAY, { apartMs: HOUR }))
        lab.loseTogether(phones, at, { awayMs: back(lab) });
      for (const at of lab.times(5, 9 * DAY)) lab.lose(cable, at, { awayMs: 5 * SECOND });
      lab.expect('HUB_UNSTABLE', key);
      lab.expect('PORT_UNSTABLE', lab.portKey(cable));
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  // what only looks like it
  {
    name: 'somebody unplugs eight phones of a hub one by one',
    tell(lab) {
      const { phones } = phonesOfAHub(lab, 5);
      const awayMs = lab.random.chance(0.5) ? Math.round(lab.random.between(0.5, 6) * HOUR) : undefined;
      let at = lab.now - lab.random.between(2 * MINUTE, 20 * HOUR);
      for (const phone of lab.random.shuffled(phones).slice(0, 8)) {
        lab.lose(phone, Math.round(at), { ...(awayMs && { awayMs }) });
        at += lab.random.between(2, 8) * SECOND;
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'a timer cuts the power of a hub each night',
    tell(lab) {
      const { phones } = phonesOfAHub(lab);
      for (let days = lab.random.whole(10, 29); days >= 0; days -= 1) {
        const at = Math.round(lab.clock(days, 22) + lab.random.between(-20, 20) * SECOND);
        if (at < lab.now) lab.loseTogether(phones, at, { awayMs: 8 * HOUR });
      }
      ordinaryLife(lab, { taken: 0.3 });
    },
  },
  {
    name: 'somebody changes the cable of a hub once',
    tell(lab) {
      const { phones } = phonesOfAHub(lab);
      const at = lab.workingTime(lab.random.between(0.1, 20));
      lab.loseTogether(phones, at, { awayMs: 40 * SECOND });
      ordinaryLife(lab);
    },
  },
  {
    name: 'somebody brings the phones of a dead hub to other hubs',
    tell(lab) {
      const { hub, phones } = phonesOfAHub(lab);
      const at = lab.now - 9 * HOUR;
      const free = lab.random.shuffled(lab.freePorts(at).filter((port) => !hub.ports.includes(port)));
      const moved = phones.slice(0, free.length);
      for (const [index, phone] of moved.entries()) {
        const to = free[index];
        lab.lose(phone, at + index * 100, { awayMs: 40 * MINUTE + index * 9 * SECOND, ...(to && { to }) });
      }
      ordinaryLife(lab);
    },
  },
];

const chipOf = (lab: SceneLab, phone: ScenePhone): string => {
  const { bus, chain } = lab.portOf(phone);
  return `${bus}-${chain.slice(0, chain.lastIndexOf('.'))}`;
};
