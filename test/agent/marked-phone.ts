/** Phones of which each fact that is reported says whose it is. */
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Recording } from '../../src/demo/recording.ts';

/** What one phone, and no other, says of itself. */
export interface Mark {
  /** `ro.serialno`. */
  serialNumber: string;
  model: string;
  /** Android's version. */
  release: string;
  /** Of the battery, percent. */
  level: number;
  /** The name that its owner gave it. */
  name: string;
}

/** Its boot as `/proc` prints it: the id, where there is one, and the uptime. */
export const clock = (bootId: string | undefined, uptimeSeconds: number): string =>
  `${bootId === undefined ? '' : `${bootId}\n`}${uptimeSeconds}.00 100.00\n`;

export const bootId = (number: number): string =>
  `${String(number).padStart(8, '0')}-5b6a-4c8f-9a53-0d2f5e8b1c47`;

const numbered = (number: number): Mark => ({
  serialNumber: `SERIAL${number}A`,
  model: `Model ${number}`,
  release: String(7 + number),
  level: 10 + number,
  name: `Phone ${number}`,
});

/** The mark of the phone of this number. */
export const mark = (number: number, changes: Partial<Mark> = {}): Mark => ({
  ...numbered(number),
  ...changes,
});

export interface Way {
  /** adb's name for it. */
  serial: string;
  devpath?: string;
}

export class MarkedPhone extends SimulatedPhone {
  readonly mark: Mark;
  /** What it prints of its boot. */
  clock: string;

  constructor(mark: Mark, way: Way, clock: string) {
    super(recordingOf(way));
    this.mark = mark;
    this.clock = clock;
    const { serialNumber, model, release, level, name } = mark;
    const properties = { 'ro.serialno': serialNumber, 'ro.boot.serialno': serialNumber };
    const told = { ...properties, 'ro.product.model': model, 'ro.build.version.release': release };
    this.alter('identity.properties', (text) => {
      const rest = text.split('\n').filter((line) => !/marketname|^\[ro\.(?:boot\.)?serialno\]/.test(line));
      const kept = rest.filter((line) => !Object.keys(told).some((key) => line.startsWith(`[${key}]`)));
      return [...kept, ...Object.entries(told).map(([key, value]) => `[${key}]: [${value}]`)].join('\n');
    });
    this.alter('battery.dump', (text) => text.replace(/level: \d+/, `level: ${level}`));
    this.alter('name.settings', () => `name=${name}\nname=null\nmodel=${model}\n`);
    this.alter('boot.clock', () => this.clock);
  }
}

function recordingOf(way: Way): Recording {
  const found = recordings.find(({ title }) => title.includes('POCO'));
  if (found === undefined) throw new Error('no recording of a POCO');
  const { devpath: _, product: __, model: ___, device: ____, ...rest } = found;
  return { ...rest, ...way } as Recording;
}

/** The facts of a report by which their phone is known, as far as they are in it. */
function factsIn({
  modelName,
  platformVersion,
  battery,
  deviceName,
  serialNumber,
}: DeviceInfo): Partial<Mark> {
  const level = battery?.percentage === undefined ? undefined : Number(battery.percentage);
  const facts = { serialNumber, model: modelName, release: platformVersion, level, name: deviceName };
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([key, value]) => value !== undefined && !(key === 'name' && value === modelName),
    ),
  );
}

/** What a device that was reported has of another phone than this one. */
export function strange(info: DeviceInfo, { ...mark }: Mark): Partial<Mark> {
  const own: Partial<Record<string, unknown>> = { ...mark };
  return Object.fromEntries(Object.entries(factsIn(info)).filter(([key, value]) => own[key] !== value));
}

/** Does a device have facts of more than one of these? */
export const isMixture = (info: DeviceInfo, marks: readonly Mark[]): boolean =>
  !marks.some((mark) => Object.keys(strange(info, mark)).length === 0);
