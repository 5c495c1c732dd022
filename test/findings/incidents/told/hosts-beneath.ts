/** Incidents of what lies beneath adb: containers that may not open what is on USB. */
import { adbRestarts, background } from '../background.ts';
import { HOUR, MINUTE } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'adb was moved into a container of an ordinary user: it lists the phone there, and may not open it',
    source: '89luca89/distrobox#762',
    seen: 'In a container that is to share all with its computer, adb finds the phone, and has no permission for it. By the adb of the computer itself the same ports go well.',
    cause: 'a container without root may not open what is on USB',
    did: 'was told to run the container with real root',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2023-05-08',
      days: 15,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(13, '15:20');
      adbRestarts(lab, at);
      const loss = lab.lose(phone, at + 500, { as: 'no permissions' });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        losses: [loss],
        // only that adb was restarted is recorded, not that it is in a container since
        blame: ['adb', 'host'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /permission|may not open|udev|\brules?\b|\broot\b|plugdev|container/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'adb in a container of Podman lists no phone until the container is privileged, and started by root',
    source: 'podman-container-tools/podman#8610',
    seen: 'adb crashes in the container as it starts. It runs if the container is privileged, and then finds no device, as long as an ordinary user starts the container. With Docker all of it goes well.',
    cause: 'the container may not open USB, as its defaults are stricter than those of Docker',
    did: 'made the container privileged, and started it with sudo',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2020-11-23',
      days: 16,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      lab.usb(phone, lab.start, { connectedAt: lab.start - 2 * HOUR });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(13, '16:30'),
        told: {
          about: ['phone', 'port', 'host'],
          says: /permission|may not open|udev|\brules?\b|\broot\b|plugdev|container|privileged/i,
        },
      };
    },
  },
];
