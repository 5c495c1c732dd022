/** A made-up host with phones in all conditions, for whoever shows a host's status. */
import type {
  Band,
  Cause,
  Fact,
  HostStatus,
  PhoneDetail,
  PhoneStatus,
  Sample,
} from '../../src/status/host-status.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GIB = 1024 ** 3;

const BAYS_A_SHELF = 10;
const SHELVES_A_RACK = 6;

const models = [
  { name: 'Pixel 8', brand: 'google', model: 'Pixel 8', android: '15', storage: 128 },
  { name: 'Galaxy S23', brand: 'samsung', model: 'SM-S911B', android: '14', storage: 256 },
  { name: 'Xiaomi 12X', brand: 'Xiaomi', model: '2112123AG', android: '12', storage: 128 },
  { name: 'Redmi Note 9 Pro', brand: 'Redmi', model: 'M2003J6B2G', android: '10', storage: 64 },
  { name: 'OnePlus Nord CE 3 Lite 5G', brand: 'OnePlus', model: 'CPH2467', android: '13', storage: 128 },
  { name: 'Moto G5', brand: 'motorola', model: 'Moto G (5)', android: '8.1.0', storage: 16 },
  { name: 'P30 Pro', brand: 'HUAWEI', model: 'VOG-L29', android: '10', storage: 128 },
  { name: 'Nexus 5', brand: 'google', model: 'Nexus 5', android: '6.0.1', storage: 32 },
] as const;

export interface SampleOptions {
  phones?: number;
  now?: number;
  /** Without troubles all is fine. */
  hasTroubles?: boolean;
}

/** As of `now` (the present unless given). The last two phones have no slot; bays without a phone fill up their shelves. */
export function sampleHost({
  phones = 60,
  now = Date.now(),
  hasTroubles = true,
}: SampleOptions = {}): HostStatus {
  const listed = Array.from({ length: phones }, (_, index) => finePhone(index, phones, now));
  if (hasTroubles) trouble(listed, now);
  const count = (condition: PhoneStatus['condition']) =>
    listed.filter((phone) => phone.condition === condition).length;
  const counts = {
    phones,
    fine: count('fine'),
    needsAttention: count('needsAttention'),
    maintenance: count('maintenance'),
    unknown: count('unknown'),
  };
  const causes = causesOf(listed);
  return {
    takenAt: now,
    host: { name: 'lab-07', nodeId: '6c1f7d52a9', version: '0.1.0', startedAt: now - 3 * DAY },
    adb: { address: '127.0.0.1:5037', state: 'listed', since: now - 3 * DAY, version: 41 },
    reports: { storedAt: now - 12 * SECOND, nextAt: now + 48 * SECOND },
    counts,
    ...(causes.length === 0 && { fineSince: now - 3 * DAY - 5 * HOUR }),
    causes,
    notices: hasTroubles ? noticesOf(listed, now) : [],
    bands: bandsOf(listed),
    phones: listed,
  };
}

function finePhone(index: number, phones: number, now: number): PhoneStatus {
  const { storage, ...kind } = models[index % models.length] ?? models[0];
  const serial = `R58M${(index * 7919 + 100_000).toString(36).toUpperCase()}`;
  const slot = index < phones - 2 ? slotOf(index) : undefined;
  return {
    udid: serial,
    serial,
    ...kind,
    ...(slot !== undefined && { slot }),
    devpath: `1-${1 + Math.floor(index / 10)}.${1 + (index % 10)}`,
    connection: 'usb',
    attached: true,
    state: 'device',
    since: now - (index + 1) * 5 * HOUR,
    condition: 'fine',
    sign: '',
    message: '',
    answeredAt: now - (index % 50) * SECOND,
    battery: {
      levelRatio: (35 + ((index * 37) % 66)) / 100,
      isCharging: index % 3 !== 0,
      temperatureCelsius: 24 + ((index * 13) % 90) / 10,
      voltageVolts: 4.1,
      health: 'GOOD',
    },
    storage: { totalBytes: storage * GIB, usedBytes: storage * GIB * (0.2 + ((index * 17) % 60) / 100) },
    memory: { totalBytes: 8 * GIB, usedBytes: 5 * GIB },
    network: 'REACHABLE',
  };
}

function slotOf(index: number): string {
  const shelf = Math.floor(index / BAYS_A_SHELF);
  const rack = Math.floor(shelf / SHELVES_A_RACK) + 1;
  return `rack ${rack}, shelf ${(shelf % SHELVES_A_RACK) + 1}, bay ${(index % BAYS_A_SHELF) + 1}`;
}

function trouble(phones: PhoneStatus[], now: number): void {
  const change = (index: number, changes: Partial<PhoneStatus>) => {
    const phone = phones[index];
    if (phone) Object.assign(phone, changes);
  };
  const gone = {
    attached: false,
    state: 'disconnected',
    condition: 'needsAttention',
    sign: 'unplugged',
  } as const;
  change(1, {
    state: 'unauthorized',
    condition: 'needsAttention',
    sign: 'unauthorized',
    message: 'Accept the USB debugging prompt on the phone',
    since: now - 20 * MINUTE,
  });
  delete phones[1]?.battery;
  delete phones[1]?.answeredAt;
  change(4, {
    condition: 'needsAttention',
    sign: 'hot',
    message: 'Let the phone cool down: stop its tests, unplug it, and check whether its back bulges',
    since: now - 6 * MINUTE,
    battery: { levelRatio: 1, isCharging: true, temperatureCelsius: 47.3, voltageVolts: 4.4, health: 'GOOD' },
  });
  change(6, {
    condition: 'maintenance',
    maintenance: { until: now + 2 * DAY, reason: 'new battery ordered' },
    message: '',
  });
  change(8, {
    condition: 'maintenance',
    attached: false,
    state: 'disconnected',
    since: now - 4 * DAY,
    maintenance: { until: now + DAY, reason: 'with the developers' },
  });
  change(9, { attached: false, state: 'disconnected', since: now - 2 * DAY });
  change(11, { answeredAt: now - 9 * MINUTE });
  for (const index of [20, 21, 22, 23, 24, 25, 26])
    change(index, { ...gone, since: now - 3 * HOUR, message: 'Not plugged in: plug the phone in again' });
  change(33, {
    condition: 'needsAttention',
    sign: 'rejected',
    message: 'Fix what the cloud names; each report sends the phone again',
    refused: 'no licence for this model',
    since: now - 40 * SECOND,
  });
}

const remedies: Readonly<Record<string, { kind: Cause['kind']; title: string; command?: string }>> = {
  unauthorized: { kind: 'unauthorized', title: 'waits for the USB debugging prompt' },
  hot: { kind: 'hot', title: 'is hot' },
  rejected: { kind: 'refused', title: 'is rejected by the cloud', command: 'hostnode report --now' },
};

function causesOf(phones: readonly PhoneStatus[]): Cause[] {
  const ailing = phones.filter(({ condition }) => condition === 'needsAttention');
  const gone = ailing.filter(({ sign }) => sign === 'unplugged');
  const causes: Cause[] = ailing.flatMap(({ udid, name, sign, message, refused, since }) => {
    const remedy = remedies[sign];
    if (remedy === undefined) return [];
    const title = `${name} ${remedy.title}`;
    const said = refused === undefined ? {} : { said: refused };
    return { ...remedy, title, key: `${sign} ${udid}`, ...said, remedy: message, since, udids: [udid] };
  });
  const [first] = gone;
  for (const phone of gone) phone.findings = ['HUB_LOST'];
  if (first)
    causes.push({
      key: 'HUB_LOST hub 1-3',
      kind: 'finding',
      code: 'HUB_LOST',
      severity: 'major',
      certainty: 'likely',
      subject: 'hub',
      title: `${gone.length} phones behind hub 1-3 are unplugged`,
      remedy: 'Check the power and the cable of the hub at USB port 1-3',
      since: first.since,
      udids: gone.map(({ udid }) => udid),
    });
  return causes.sort((one, other) => rankOf(one) - rankOf(other) || other.since - one.since);
}

/** The host's own first, then the worst. */
const rankOf = ({ kind }: Cause): number =>
  ['adb', 'cloud'].includes(kind) ? 0 : ['hot', 'battery'].includes(kind) ? 1 : kind === 'storage' ? 3 : 2;

/** Phone 14 is slow on USB: it works. */
function noticesOf(phones: readonly PhoneStatus[], now: number): Cause[] {
  const phone = phones[14];
  if (phone === undefined) return [];
  phone.findings = ['USB_SLOW'];
  return [
    {
      key: `USB_SLOW ${phone.udid}`,
      kind: 'finding',
      code: 'USB_SLOW',
      severity: 'minor',
      certainty: 'likely',
      subject: 'phone',
      title: `${phone.name} uses USB 2 on a port of USB 3`,
      remedy: 'Try another cable',
      since: now - 3 * DAY,
      udids: [phone.udid],
    },
  ];
}

function bandsOf(phones: readonly PhoneStatus[]): Band[] {
  const bands = new Map<string, Band>();
  for (const { slot, devpath, serial, udid } of phones) {
    const [, name = '', bay = devpath ?? serial] = /^(.*), (bay \d+)$/.exec(slot ?? '') ?? [];
    const band = bands.get(name) ?? { name, bays: [] };
    bands.set(name, band);
    band.bays.push({ name: bay, udid, ...(slot !== undefined && { slot }) });
  }
  for (const { name, bays } of bands.values())
    while (name !== '' && bays.length < BAYS_A_SHELF) {
      const bay = `bay ${bays.length + 1}`;
      bays.push({ name: bay, slot: `${name}, ${bay}` });
    }
  return [...bands.values()];
}

/** One of its phones in full. */
export function samplePhone(
  { phones, takenAt }: HostStatus,
  udid: string,
  history = historyOf(takenAt),
): PhoneDetail | undefined {
  const phone = phones.find((each) => each.udid === udid);
  return (
    phone && {
      ...phone,
      facts: factsOf(phone, takenAt),
      history,
    }
  );
}

function factsOf({ name, model, brand, android, battery, answeredAt }: PhoneStatus, now: number): Fact[] {
  const takenAt = answeredAt ?? now - HOUR;
  const fact = (from: string, name: string, value?: string): Fact =>
    value === undefined ? { name, from, why: 'the phone gave no value' } : { name, from, value, takenAt };
  return [
    fact('name', 'deviceName', name),
    fact('identity', 'brandName', brand),
    fact('identity', 'modelName', model),
    fact('identity', 'platformVersion', android),
    fact('battery', 'battery.percentage', battery && `${Math.round((battery.levelRatio ?? 0) * 100)} %`),
    fact('battery', 'battery.temperature', battery && `${battery.temperatureCelsius} °C`),
    fact('battery', 'battery.health', battery?.health),
    fact('browsers', 'browsers', 'Chrome 131.0.6778.39, Samsung Internet 27.0.0.79, Firefox 132.0.2'),
    fact('network', 'networkReachability.status', 'REACHABLE'),
    { name: 'screen.width', from: 'display', why: 'the command exceeded its time limit' },
    fact('root', 'isRooted', 'no'),
  ];
}

/** A day, every five minutes; the agent was down for two hours of it. */
function historyOf(now: number): Sample[] {
  return Array.from({ length: 288 }, (_, index) => {
    const at = now - DAY + index * 5 * MINUTE;
    const wave = Math.sin(index / 30);
    return { at, levelRatio: 0.7 + wave * 0.28, temperatureCelsius: Math.round((29 - wave * 4.5) * 10) / 10 };
  }).filter((_, index) => index < 120 || index > 144);
}
