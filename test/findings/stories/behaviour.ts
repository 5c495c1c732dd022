/** How one phone behaves: flapping, reboots, offline, unauthorized; and what only looks like it. */
import { ordinaryLife } from '../ordinary-life.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

const pinned = (lab: SceneLab, phones = lab.usbPhones): ScenePhone => {
  const phone = lab.random.pick(phones.filter(({ isPinned }) => !isPinned));
  phone.isPinned = true;
  return phone;
};

const awayMs = (lab: SceneLab) => Math.round(lab.random.between(20, 60) * SECOND);

/** All phones get another Android, one after the other or all by one script. */
function updateAll(
  lab: SceneLab,
  at: number,
  spreadMs: number,
  backAs = (_phone: ScenePhone) => 'device',
): void {
  for (const phone of lab.phones) {
    const from = Math.round(at + lab.random.between(0, spreadMs));
    const reboot = {
      awayMs: Math.round(lab.random.between(40, 200) * SECOND),
      reason: 'reboot,ota',
      release: '14',
    };
    lab.reboot(phone, from, { ...reboot, backAs: backAs(phone) });
  }
}

export const stories: Story[] = [
  {
    name: 'a phone comes and goes every minute',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(lab.random.whole(8, 40), 50 * MINUTE, { untilMs: 0, apartMs: 35 * SECOND }))
        lab.lose(phone, at, { awayMs: Math.round(lab.random.between(1, 9) * SECOND) });
      lab.expect('FLAPPING', phone.udid);
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone of the network comes and goes',
    tell(lab) {
      while (lab.networkPhones.length < 3) lab.addNetworkPhone();
      const phone = pinned(lab, lab.networkPhones);
      for (const at of lab.times(lab.random.whole(8, 20), 50 * MINUTE, { untilMs: 0, apartMs: 60 * SECOND }))
        lab.lose(phone, at, { as: 'offline', awayMs: Math.round(lab.random.between(5, 25) * SECOND) });
      lab.expect('FLAPPING', phone.udid);
      lab.expect('LINK_UNSTABLE', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone came and went every minute five hours ago',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(12, 6 * HOUR, { untilMs: 5 * HOUR, apartMs: 60 * SECOND }))
        lab.lose(phone, at, { awayMs: Math.round(lab.random.between(1, 9) * SECOND) });
      lab.expect('PORT_UNSTABLE', lab.portKey(phone));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone crashed and rebooted',
    tell(lab) {
      const phone = pinned(lab);
      const reason = lab.random.pick([
        'kernel_panic',
        'kernel_panic,sysrq',
        'watchdog',
        'watchdog,apps,bite',
      ]);
      lab.reboot(phone, Math.round(lab.now - lab.random.between(0.1, 6) * DAY), {
        awayMs: awayMs(lab),
        reason,
      });
      lab.expect('UNEXPLAINED_REBOOT', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone gets too hot and switches itself off, or its battery is empty, again and again',
    tell(lab) {
      const phone = pinned(lab);
      const reason = lab.random.pick([
        'shutdown,thermal',
        'shutdown,thermal,battery',
        'shutdown,battery',
        'thermal',
      ]);
      for (const at of lab.times(lab.random.whole(2, 6), 6 * DAY, { apartMs: HOUR }))
        lab.reboot(phone, at, { awayMs: awayMs(lab) * 4, reason });
      lab.expect('UNEXPLAINED_REBOOT', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone reboots at any hour and does not say why',
    tell(lab) {
      const phone = pinned(lab);
      const reason = lab.random.pick([undefined, 'unknown']);
      for (const at of lab.times(lab.random.whole(4, 7), 6 * DAY, { apartMs: 3 * HOUR }))
        lab.reboot(phone, at, { awayMs: awayMs(lab), reason });
      lab.expect('UNEXPLAINED_REBOOT', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone reboots every other minute',
    tell(lab) {
      const phone = pinned(lab);
      const reason = lab.random.pick([undefined, 'kernel_panic', 'reboot,rescueparty']);
      let at = lab.now - lab.random.between(15, 50) * MINUTE;
      while (at < lab.now - 2 * MINUTE) {
        lab.reboot(phone, Math.round(at), { awayMs: 30 * SECOND, reason });
        at += lab.random.between(110, 200) * SECOND;
      }
      lab.expect('BOOT_LOOP', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone does not finish booting',
    tell(lab) {
      const phone = pinned(lab);
      lab.lose(phone, Math.round(lab.now - lab.random.between(40, 400) * MINUTE), { awayMs: 50 * SECOND });
      phone.picture.bootCompleted = false;
      lab.expect('BOOT_LOOP', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone has not answered for hours, another one for minutes',
    tell(lab) {
      const [phone, other] = [pinned(lab), pinned(lab)];
      const silent = (minutes: number) => ({
        isSilent: true,
        silentSince: lab.now - Math.round(minutes * MINUTE),
      });
      Object.assign(other.picture, silent(lab.random.between(1, 28)));
      Object.assign(phone.picture, silent(lab.random.between(32, 900)));
      lab.expect('SILENT_LONG', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone has been offline for hours',
    tell(lab) {
      const phone = pinned(
        lab,
        lab.random.chance(0.3) && lab.networkPhones.length > 0 ? lab.networkPhones : lab.usbPhones,
      );
      lab.lose(phone, Math.round(lab.now - lab.random.between(1, 40) * HOUR), { as: 'offline' });
      lab.expect('OFFLINE_LONG', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'two phones come back unauthorized from an update of all',
    tell(lab) {
      const lost = [pinned(lab), pinned(lab)];
      updateAll(
        lab,
        Math.round(lab.now - lab.random.between(1, 40) * HOUR),
        lab.random.pick([HOUR, 3 * MINUTE]),
        (phone) => (lost.includes(phone) ? 'unauthorized' : 'device'),
      );
      for (const phone of lost) lab.expect('UNAUTHORIZED_AFTER_UPDATE', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone comes back unauthorized from its own reboot',
    tell(lab) {
      const phone = pinned(lab);
      const at = Math.round(lab.now - lab.random.between(1, 40) * HOUR);
      lab.reboot(phone, at, { awayMs: 4 * awayMs(lab), backAs: 'unauthorized' });
      lab.expect('UNAUTHORIZED_AFTER_UPDATE', phone.udid);
      ordinaryLife(lab);
    },
  },
  // what only looks like it
  {
    name: 'an update reboots all phones within an hour',
    tell(lab) {
      updateAll(lab, Math.round(lab.now - lab.random.between(1.2, 100) * HOUR), HOUR);
      ordinaryLife(lab);
    },
  },
  {
    name: 'an update reboots all phones within seconds',
    tell(lab) {
      updateAll(lab, Math.round(lab.now - lab.random.between(0.2, 100) * HOUR), 4 * SECOND);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a script has just rebooted all phones',
    tell(lab) {
      updateAll(lab, Math.round(lab.now - lab.random.between(1, 30) * SECOND), 4 * SECOND);
      ordinaryLife(lab);
    },
  },
  {
    name: 'all phones are rebooted each night by a script',
    tell(lab) {
      for (let days = 29; days > 0; days -= 1)
        for (const phone of lab.usbPhones)
          lab.reboot(phone, lab.clock(days, 3) + lab.random.whole(0, 5000), {
            awayMs: awayMs(lab),
            reason: 'reboot,adb',
          });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a test suite reboots its phone ten times in an hour',
    tell(lab) {
      const phone = pinned(lab);
      for (const at of lab.times(10, HOUR, { untilMs: 3 * MINUTE, apartMs: 3 * MINUTE }))
        lab.reboot(phone, at, { awayMs: awayMs(lab), reason: 'reboot,adb' });
      ordinaryLife(lab);
    },
  },
  {
    name: 'users unlock their phones after an update: unauthorized for a moment',
    tell(lab) {
      updateAll(lab, Math.round(lab.now - lab.random.between(3, 40) * HOUR), HOUR, () =>
        lab.random.chance(0.2) ? 'unauthorized' : 'device',
      );
      lab.allowAll(3 * MINUTE);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone is offline for a moment now',
    tell(lab) {
      const phone = pinned(lab);
      lab.lose(phone, Math.round(lab.now - lab.random.between(0.2, 8) * MINUTE), { as: 'offline' });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone is offline in its maintenance',
    tell(lab) {
      const phone = pinned(lab);
      const at = Math.round(lab.now - lab.random.between(2, 20) * HOUR);
      lab.phone(phone, at - MINUTE, { kind: 'maintenance', until: lab.now + DAY, reason: 'flashing' });
      lab.lose(phone, at, { as: 'offline' });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone that was away for two weeks comes back unauthorized',
    tell(lab) {
      const phone = pinned(lab);
      lab.lose(phone, lab.now - 16 * DAY, { awayMs: 14 * DAY, backAs: 'unauthorized' });
      ordinaryLife(lab);
    },
  },
  {
    name: 'another adb key: all phones are unauthorized after adb was replaced',
    tell(lab) {
      const at = Math.round(lab.now - lab.random.between(1, 20) * HOUR);
      lab.host(at, { kind: 'adbReplaced', version: 41 });
      for (const phone of lab.phones) {
        if (!lab.lose(phone, at + 100, { awayMs: 30 * SECOND, backAs: 'unauthorized' })) continue;
        phone.busy.push({ from: at, to: lab.now });
      }
      ordinaryLife(lab);
    },
  },
];
