/** A lab that keeps a list of its phones: who is missing, new, moved, cloned or attached twice; and who only seems so. */
import type { ExpectedPhone } from '../../../src/roster/expected-phones.ts';
import { ordinaryLife } from '../ordinary-life.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

const isAttached = (lab: SceneLab, phone: ScenePhone) => lab.isFree(phone, lab.now, lab.now);

/** Every phone is on the list, in the slot where it was at first; the list is true but for what the month brought. */
function keepList(
  lab: SceneLab,
  change: (entry: ExpectedPhone, phone: ScenePhone) => ExpectedPhone[] = (entry) => [entry],
) {
  const ports = lab.hubs.flatMap((hub) => hub.ports);
  const expected = lab.phones.flatMap((phone) => {
    const [seat] = phone.seats;
    const slot = seat && lab.known.slots ? seat.port.slot : undefined;
    return change({ udid: phone.udid, ...(slot !== undefined && { slot }) }, phone);
  });
  lab.picture.setting = {
    expected,
    slots: lab.known.slots
      ? ports.map(({ slot, bus, chain }) => ({ name: slot, paths: [`${bus}-${chain}`] }))
      : [],
  };
  for (const phone of lab.phones) {
    const entry = expected.find(({ udid, serial }) => udid === phone.udid || serial === phone.udid);
    if (entry === undefined) continue;
    const away = phone.busy.find(({ from, to }) => from <= lab.now && to >= lab.now);
    if (away !== undefined && lab.now - away.from >= 10 * MINUTE) lab.expect('EXPECTED_MISSING', phone.udid);
    if (away === undefined && entry.slot !== undefined && lab.portOf(phone).slot !== entry.slot)
      lab.expect('PHONE_MOVED', phone.udid);
  }
}

const story = (name: string, tell: (lab: SceneLab, phone: ScenePhone) => void): Story => ({
  name,
  tell(lab) {
    const phone = lab.random.pick(lab.usbPhones);
    phone.isPinned = true;
    ordinaryLife(lab);
    if (isAttached(lab, phone)) tell(lab, phone);
  },
});

export const stories: Story[] = [
  story('a list of all phones, and an ordinary month', (lab) => keepList(lab)),
  story('a phone that somebody took home', (lab, phone) => {
    lab.lose(phone, lab.now - 20 * MINUTE);
    keepList(lab);
  }),
  story('a phone that never came', (lab) => {
    keepList(lab);
    const { expected = [], slots = [] } = lab.picture.setting ?? {};
    lab.picture.setting = { expected: [...expected, { serial: 'LOST-IN-TRANSIT', owner: 'Anna' }], slots };
    lab.expect('EXPECTED_MISSING', 'LOST-IN-TRANSIT');
  }),
  story('a phone that nobody has listed', (lab, phone) => {
    keepList(lab, (entry, each) => (each === phone ? [] : [entry]));
    lab.expect('UNEXPECTED_PHONE', phone.udid);
  }),
  story('a phone in another slot', (lab, phone) => {
    const [port] = lab.freePorts(0);
    if (!lab.known.slots || !port) return keepList(lab);
    lab.lose(phone, lab.now - 2 * HOUR, { awayMs: 30 * SECOND, to: port });
    keepList(lab);
  }),
  story('two phones of one serial', (lab, phone) => {
    const other = lab.usbPhones.find((each) => each !== phone && isAttached(lab, each));
    if (!other) return;
    for (const twin of [phone, other]) twin.picture.serial = 'C0FFEE42';
    const [first] = lab.phones.filter((each) => each === phone || each === other);
    lab.expect('PHONE_CLONED', first?.udid);
  }),
  story('a phone on the network with the serial of one on USB', (lab, phone) => {
    const [other] = lab.networkPhones.filter((each) => isAttached(lab, each));
    if (!other) return;
    other.picture.serialNumber = phone.udid;
    lab.expect('PHONE_CLONED', phone.udid);
  }),
  story('another model than the list says', (lab, phone) => {
    phone.picture.model = 'SM-A125F';
    keepList(lab, (entry, each) => [each === phone ? { ...entry, model: 'Pixel 8' } : entry]);
    lab.expect('PHONE_CLONED', phone.udid);
  }),
  story('a phone by cable and by network', (lab, phone) => {
    phone.picture.alsoAt = ['192.168.1.7:5555'];
    lab.expect('ATTACHED_TWICE', phone.udid);
  }),
  story('a phone that the cloud has as unplugged', (lab, phone) => {
    phone.picture.inCloud = { there: 'unplugged', since: lab.now - HOUR, isConfirmed: true };
    lab.expect('CLOUD_DISAGREES', phone.udid);
  }),
  story('a phone that the cloud had as unplugged, once', (_lab, phone) => {
    phone.picture.inCloud = { there: 'unplugged', since: _lab.now - HOUR };
  }),

  story('a phone on the list that reboots', (lab, phone) => {
    lab.lose(phone, lab.now - 2 * MINUTE);
    keepList(lab);
  }),
  story('a phone on the list that somebody repairs', (lab, phone) => {
    lab.phone(phone, lab.now - 30 * MINUTE, { kind: 'maintenance', until: lab.now + DAY, reason: 'battery' });
    lab.phone(phone, lab.now - 20 * MINUTE, { kind: 'detached' });
    keepList(lab);
  }),
  story('a list, and an adb server that was started a moment ago', (lab) => {
    for (const each of lab.usbPhones) lab.phone(each, lab.now - 40 * SECOND, { kind: 'detached' });
    lab.host(lab.now - 30 * SECOND, { kind: 'adbBack' });
    keepList(lab);
    lab.expected.length = 0;
  }),
  story('a list, and an adb server that cannot be asked', (lab) => {
    for (const each of lab.usbPhones) lab.phone(each, lab.now - 30 * MINUTE, { kind: 'detached' });
    lab.host(lab.now - 30 * MINUTE, { kind: 'adbLost' });
    keepList(lab);
    lab.picture.isAdbListed = false;
    lab.expected.length = 0;
  }),
  story('a new phone that was plugged in a moment ago', (lab, phone) => {
    lab.lose(phone, lab.now - HOUR, { awayMs: HOUR - 20 * SECOND });
    keepList(lab, (entry, each) => (each === phone ? [] : [entry]));
  }),
  story('an address on the network that has not answered yet', (lab) => {
    keepList(lab, (entry, each) => (each.connection === 'tcp' ? [] : [entry]));
  }),
  story('two phones of a serial that thousands share', (lab, phone) => {
    const other = lab.usbPhones.find((each) => each !== phone && isAttached(lab, each));
    if (!other) return;
    for (const twin of [phone, other]) twin.picture.serial = '0123456789ABCDEF';
    const [first] = lab.phones.filter((each) => each === phone || each === other);
    lab.expect('PHONE_CLONED', first?.udid, 'minor');
  }),
  story('a phone whose old connection hangs after a quick replug', (lab, phone) => {
    const other = lab.usbPhones.find((each) => each !== phone && isAttached(lab, each));
    if (!other) return;
    for (const twin of [phone, other]) twin.picture.serial = 'C0FFEE42';
    lab.phone(other, lab.now - 5 * MINUTE, { kind: 'state', state: 'offline', before: 'device' });
  }),
  story('a list that says the name of a phone as its model', (lab, phone) => {
    phone.picture.model = '24069PC21I';
    keepList(lab, (entry, each) => [each === phone ? { ...entry, model: `pixel ${phone.udid}` } : entry]);
  }),
];
