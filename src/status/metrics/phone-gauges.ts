/** What Prometheus reads of each phone, and of each shelf: to make the latter of the former costs it seconds. */
import { Gauge, type Registry } from 'prom-client';
import { printable } from '../../base/printable.ts';
import { placeInRoom } from '../../roster/slot-name.ts';
import type { Condition, PhoneStatus } from '../host-status.ts';
import type { StatusSource } from '../source.ts';

/** Phones beyond this number have no series of their own, and count for no shelf, so that no scrape grows without bound. */
export const MOST_PHONES = 500;

const LONGEST_LABEL = 128;

/** The name of a gauge, what it is, and its value in base units; undefined while that is not known. */
type Reading = readonly [name: string, help: string, read: (phone: PhoneStatus) => number | undefined];

/** What the host knows of every phone in the roster, attached or not. */
const standings: readonly Reading[] = [
  [
    'hostnode_device_needs_attention',
    '1 while the phone needs attention from a person.',
    ({ condition }) => Number(condition === 'needsAttention'),
  ],
  [
    'hostnode_device_maintenance',
    '1 while the phone is in maintenance, which keeps its alerts silent.',
    ({ condition }) => Number(condition === 'maintenance'),
  ],
  [
    'hostnode_device_refused',
    '1 while the cloud refuses the phone.',
    ({ refused }) => Number(refused !== undefined),
  ],
];

/** Facts of the attached phones, as far as they are known. */
const facts: readonly Reading[] = [
  [
    'hostnode_device_last_answer_timestamp_seconds',
    'When the phone last answered, seconds since 1970.',
    ({ answeredAt }) => (answeredAt === undefined ? undefined : answeredAt / 1000),
  ],
  [
    'hostnode_device_battery_level_ratio',
    'Charge of the battery, 0 to 1.',
    ({ battery }) => battery?.levelRatio,
  ],
  [
    'hostnode_device_battery_charging',
    '1 while the battery is charged or kept full, 0 while it is not.',
    ({ battery }) => (battery?.isCharging === undefined ? undefined : Number(battery.isCharging)),
  ],
  [
    'hostnode_device_battery_voltage_volts',
    'Voltage of the battery.',
    ({ battery }) => battery?.voltageVolts,
  ],
  [
    'hostnode_device_temperature_celsius',
    'Temperature of the battery.',
    ({ battery }) => battery?.temperatureCelsius,
  ],
  [
    'hostnode_device_storage_total_bytes',
    'Size of the data partition.',
    ({ storage }) => storage?.totalBytes,
  ],
  ['hostnode_device_storage_used_bytes', 'Used of the data partition.', ({ storage }) => storage?.usedBytes],
  ['hostnode_device_memory_total_bytes', 'Working memory of the phone.', ({ memory }) => memory?.totalBytes],
  [
    'hostnode_device_memory_used_bytes',
    'Working memory of the phone that is not available.',
    ({ memory }) => memory?.usedBytes,
  ],
];

const conditionLabels: Readonly<Record<Condition, string>> = {
  fine: 'fine',
  needsAttention: 'needs_attention',
  maintenance: 'maintenance',
  unknown: 'unknown',
};

/** Adds gauges that are filled anew from the status at each scrape. */
export function addPhoneGauges(registers: Registry[], source: Pick<StatusSource, 'status'>): void {
  const add = <L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    fill: (gauge: Gauge<L>, phones: readonly PhoneStatus[]) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        fill(this, source.status()?.phones.slice(0, MOST_PHONES) ?? []);
      },
    });

  add(
    'hostnode_shelf_devices',
    'Phones of each shelf by condition, as hostnode_devices has them. Phones without a shelf share one without a name.',
    ['shelf', 'condition'],
    (gauge, phones) => {
      for (const phone of phones)
        gauge.inc({ shelf: shelfOf(phone), condition: conditionLabels[phone.condition] });
    },
  );
  const addTemperature = (name: string, help: string, over: (celsius: readonly number[]) => number) =>
    add(name, help, ['shelf'], (gauge, phones) => {
      for (const [shelf, there] of Map.groupBy(phones, shelfOf)) {
        const attached = there.filter((phone) => phone.attached);
        const known = attached.flatMap(({ battery }) => battery?.temperatureCelsius ?? []);
        if (known.length > 0) gauge.set({ shelf }, over(known));
      }
    });
  addTemperature(
    'hostnode_shelf_temperature_average_celsius',
    'Average temperature of the batteries of a shelf.',
    (celsius) => celsius.reduce((sum, each) => sum + each, 0) / celsius.length,
  );
  addTemperature(
    'hostnode_shelf_temperature_highest_celsius',
    'Highest temperature of the batteries of a shelf.',
    (celsius) => Math.max(...celsius),
  );

  add(
    'hostnode_device_info',
    `Always 1: which phone it is, and its slot. At most ${MOST_PHONES} phones have series.`,
    ['udid', 'slot', 'model', 'brand', 'android'],
    (gauge, phones) => {
      for (const { udid, slot, model, brand, android } of phones) {
        const named = {
          slot: label(slot),
          model: label(model),
          brand: label(brand),
          android: label(android),
        };
        gauge.set({ udid: label(udid), ...named }, 1);
      }
    },
  );
  add(
    'hostnode_device_state',
    "Always 1: adb's word for the phone, disconnected while adb does not list it.",
    ['udid', 'state'],
    (gauge, phones) => {
      for (const { udid, state } of phones) gauge.set({ udid: label(udid), state: label(state) }, 1);
    },
  );
  const addReadings = (readings: readonly Reading[], isShown: (phone: PhoneStatus) => boolean) => {
    for (const [name, help, read] of readings)
      add(name, help, ['udid'], (gauge, phones) => {
        for (const phone of phones.filter(isShown)) {
          const value = read(phone);
          if (value !== undefined) gauge.set({ udid: label(phone.udid) }, value);
        }
      });
  };
  addReadings(standings, () => true);
  addReadings(facts, ({ attached }) => attached);
}

/** Text of a phone or a person as a label, bounded. To Prometheus an empty label is none. */
const label = (text = ''): string => printable(text, LONGEST_LABEL);

const shelfOf = ({ slot = '' }: PhoneStatus): string => label(placeInRoom(slot).band);
