/** Phones on the network: what loses one, several, or all of them, and what only looks like it. */
import { ordinaryLife, restartAdb } from '../ordinary-life.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

/** At least so many, which ordinary life leaves where they are. */
function onNetwork(lab: SceneLab, least = lab.random.whole(4, 9)): ScenePhone[] {
  while (lab.networkPhones.length < least) lab.addNetworkPhone();
  for (const phone of lab.networkPhones) phone.isPinned = true;
  return lab.networkPhones;
}

const minutes = (lab: SceneLab, from: number, to: number): number =>
  Math.round(lab.random.between(from, to) * MINUTE);

/** All go offline within seconds. */
function down(lab: SceneLab, phones: readonly ScenePhone[], at: number, awayMs?: number): void {
  for (const phone of phones)
    lab.lose(phone, at + lab.random.whole(0, 8 * SECOND), { as: 'offline', ...(awayMs && { awayMs }) });
}

/** It has no internet, since that moment if it had it before. */
function cutOff(lab: SceneLab, phone: ScenePhone, at?: number): void {
  phone.isPinned = true;
  phone.picture.network = 'UNREACHABLE';
  if (at !== undefined) lab.phone(phone, Math.round(at), { kind: 'hindered', codes: 'internet' });
}

export const stories: Story[] = [
  {
    name: 'the router is down: the phones have no internet but for some that have a SIM, and adb has them all',
    tell(lab) {
      const at = lab.now - minutes(lab, 22, 2000);
      for (const phone of lab.usbPhones) {
        if (lab.random.chance(0.85)) cutOff(lab, phone, at + lab.random.between(0, 5 * MINUTE));
        else phone.picture.network = 'REACHABLE';
      }
      lab.expect('INTERNET_LOST');
      ordinaryLife(lab);
    },
  },
  {
    name: 'the access point of the lab is off',
    tell(lab) {
      const phones = onNetwork(lab);
      const at = lab.now - minutes(lab, 2, 300);
      down(lab, phones, at);
      lab.expect('NETWORK_LOST');
      for (const phone of phones)
        if (at < lab.now - 30 * MINUTE - 8 * SECOND) lab.expect('OFFLINE_LONG', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'most phones of the network are gone with a switch, adb lists them no more',
    tell(lab) {
      const phones = onNetwork(lab, 6);
      lab.loseTogether(phones.slice(1), lab.now - minutes(lab, 2, 600), { spreadMs: 20 * SECOND });
      lab.expect('NETWORK_LOST');
      ordinaryLife(lab);
    },
  },
  {
    name: 'the Wi-Fi of the lab is down for minutes, again and again',
    tell(lab) {
      const phones = onNetwork(lab, 5);
      for (const at of lab.times(5, 9 * DAY, { apartMs: HOUR })) down(lab, phones, at, 4 * MINUTE);
      lab.expect('NETWORK_UNSTABLE');
      ordinaryLife(lab);
    },
  },
  {
    name: 'a router whose radio fails: each phone of the network drops out every few minutes, since today',
    tell(lab) {
      for (const phone of onNetwork(lab)) {
        for (let at = lab.now - 3 * HOUR; at < lab.now - 2 * MINUTE; at += minutes(lab, 4, 11))
          lab.lose(phone, at, { awayMs: minutes(lab, 0.3, 1.8) });
        lab.expect('FLAPPING', phone.udid);
      }
      lab.expect('NETWORK_UNSTABLE');
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a busy channel: the phones of the network drop out one by one, each several times a week',
    tell(lab) {
      const phones = onNetwork(lab);
      for (const phone of phones)
        for (const at of lab.times(lab.random.whole(3, 7), 9 * DAY, { apartMs: 30 * MINUTE }))
          lab.lose(phone, at, { as: 'offline', awayMs: minutes(lab, 0.3, 6) });
      lab.expect('NETWORK_UNSTABLE');
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'a phone of the network is offline again and again, the others are not',
    tell(lab) {
      const phone = lab.random.pick(onNetwork(lab, 3));
      for (const at of lab.times(lab.random.whole(6, 10), 9 * DAY, { apartMs: 30 * MINUTE }))
        lab.lose(phone, at, { as: 'offline', awayMs: minutes(lab, 0.5, 10) });
      lab.expect('LINK_UNSTABLE', phone.udid);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'the only phone on the network drops out all the time',
    tell(lab) {
      const phone = lab.random.pick(onNetwork(lab, 1));
      for (const at of lab.times(lab.random.whole(5, 12), 9 * DAY, { apartMs: 30 * MINUTE }))
        lab.lose(phone, at, { awayMs: minutes(lab, 0.2, 10) });
      lab.expect('LINK_UNSTABLE', phone.udid);
      ordinaryLife(lab, { glitches: 0.1 });
    },
  },
  {
    name: 'two far corners: two phones of the network drop out, the others do not',
    tell(lab) {
      const [one, other] = onNetwork(lab, 7) as [ScenePhone, ScenePhone];
      for (const phone of [one, other]) {
        for (const at of lab.times(lab.random.whole(6, 10), 9 * DAY, { apartMs: 30 * MINUTE }))
          lab.lose(phone, at, { as: 'offline', awayMs: minutes(lab, 0.5, 10) });
        lab.expect('LINK_UNSTABLE', phone.udid);
      }
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  {
    name: 'an emulator ends again and again, and phones on the network do well',
    tell(lab) {
      const phone = lab.random.pick(onNetwork(lab, 5));
      phone.picture.connection = 'emulator';
      for (const at of lab.times(lab.random.whole(5, 9), 9 * DAY, { apartMs: 30 * MINUTE }))
        lab.lose(phone, at, { awayMs: minutes(lab, 0.5, 3) });
      lab.expect('PHONE_UNSTABLE', phone.udid);
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  // what only looks like it
  {
    name: 'tests leave phones in airplane mode, one after the other, and others never had a network',
    tell(lab) {
      for (const phone of lab.usbPhones) {
        const kind = lab.random.pick(['airplane', 'airplane', 'online', 'none']);
        if (kind === 'online') phone.picture.network = 'REACHABLE';
        else if (kind === 'none') cutOff(lab, phone);
        else {
          const at = lab.now - lab.random.between(20, 600) * MINUTE;
          cutOff(lab, phone, at);
          if (lab.now - at > HOUR) lab.expect('INTERNET_LOST', phone.udid, 'minor');
        }
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'the router is started anew, and the phones have had no internet for some minutes',
    tell(lab) {
      const at = lab.now - minutes(lab, 6, 14);
      for (const phone of lab.usbPhones) cutOff(lab, phone, at + lab.random.between(0, 5 * MINUTE));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a script ends all emulators each time a test run is over',
    tell(lab) {
      const phones = onNetwork(lab, 5);
      for (const phone of phones) phone.picture.connection = 'emulator';
      for (const at of lab.times(6, 9 * DAY, { apartMs: 4 * HOUR }))
        lab.loseTogether(phones, at, { awayMs: minutes(lab, 20, 200) });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone of the network is taken home each evening',
    tell(lab) {
      const phone = lab.random.pick(onNetwork(lab, 3));
      for (let days = 29; days >= 0; days -= 1) {
        const at = Math.round(lab.clock(days, 17 + lab.random.between(0, 3)));
        const isLost = lab.lose(phone, at, { as: 'offline', awayMs: 13 * HOUR });
        if (isLost && at < lab.now - 31 * MINUTE && at + 13 * HOUR > lab.now)
          lab.expect('OFFLINE_LONG', phone.udid);
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'the access point restarts each night',
    tell(lab) {
      const phones = onNetwork(lab);
      for (let days = 29; days > 0; days -= 1) down(lab, phones, lab.clock(days, 4), 2 * MINUTE);
      ordinaryLife(lab);
    },
  },
  {
    name: 'the access point was restarted twice',
    tell(lab) {
      const phones = onNetwork(lab);
      for (const at of lab.times(2, 9 * DAY, { apartMs: DAY })) down(lab, phones, at, 3 * MINUTE);
      ordinaryLife(lab);
    },
  },
  {
    name: 'the access point was replaced, and somebody wrote so on the host',
    tell(lab) {
      const phones = onNetwork(lab);
      for (const at of lab.times(5, 12 * DAY, { untilMs: 4 * DAY, apartMs: HOUR }))
        down(lab, phones, at, 4 * MINUTE);
      lab.note(lab.now - 3 * DAY, {}, 'new access point');
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  {
    name: 'adb is restarted, and all phones of the network go and come',
    tell(lab) {
      const phones = onNetwork(lab);
      for (const at of lab.times(4, 9 * DAY, { apartMs: DAY })) {
        restartAdb(lab, at);
        for (const phone of phones) lab.lose(phone, at + 9 * SECOND, { awayMs: 5 * SECOND });
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'phones of the network drop out as seldom as those on USB',
    tell(lab) {
      onNetwork(lab);
      ordinaryLife(lab, { glitches: 0.6 });
    },
  },
  {
    name: 'the Wi-Fi drops each phone once or twice a month, as Wi-Fi does',
    tell(lab) {
      for (const phone of onNetwork(lab, 6))
        if (lab.random.chance(0.7))
          for (const at of lab.times(lab.random.pick([1, 1, 2]), 28 * DAY))
            lab.lose(phone, at, { as: 'offline', awayMs: minutes(lab, 0.3, 6) });
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
];
