/** What Prometheus reads of each phone. */
import { Gauge, type Registry } from 'prom-client';
import { printable } from '../../base/printable.ts';
import type { PhoneStatus } from '../host-status.ts';
import type { StatusSource } from '../source.ts';

/** Phones beyond this number have no series of their own, so that no scrape grows without bound. */
export const MOST_PHONES = 500;

const LONGEST_LABEL = 128;

interface Reading {
  name: string;
  help: string;
  /** In base units; undefined while it is not known. */
  read(phone: PhoneStatus): number | undefined;
}

/** What the host knows of every phone in the roster, attached or not. */
const standings: readonly Reading[] = [
  {
    name: 'hostnode_device_needs_attention',
    help: '1 while the phone needs attention from a person.',
    read: ({ condition }) => Number(condition === 'needsAttention'),
  },
  {
    name: 'hostnode_device_maintenance',
    help: '1 while the phone is in maintenance, which keeps its alerts silent.',
    read: ({ condition }) => Number(condition === 'maintenance'),
  },
  {
    name: 'hostnode_device_refused',
    help: '1 while the cloud refuses the phone.',
    read: ({ refused }) => Number(refused !== undefined),
  },
];

/** Facts of the attached phones, as far as they are known. */
const readings: readonly Reading[] = [
  {
    name: 'hostnode_device_last_answer_timestamp_seconds',
    help: 'When the phone last answered, seconds since 1970.',
    read: ({ answeredAt }) => (answeredAt === undefined ? undefined : answeredAt / 1000),
  },
  {
    name: 'hostnode_device_battery_level_ratio',
    help: 'Charge of the battery, 0 to 1.',
    read: ({ battery }) => battery?.levelRatio,
  },
  {
    name: 'hostnode_device_battery_charging',
    help: '1 while the battery is charged or kept full, 0 while it is not.',
    read: ({ battery }) => (battery?.isCharging === undefined ? undefined : Number(battery.isCharging)),
  },
  {
    name: 'hostnode_device_battery_voltage_volts',
    help: 'Voltage of the battery.',
    read: ({ battery }) => battery?.voltageVolts,
  },
  {
    name: 'hostnode_device_temperature_celsius',
    help: 'Temperature of the battery.',
    read: ({ battery }) => battery?.temperatureCelsius,
  },
  {
    name: 'hostnode_device_storage_total_bytes',
    help: 'Size of the data partition.',
    read: ({ storage }) => storage?.totalBytes,
  },
  {
    name: 'hostnode_device_storage_used_bytes',
    help: 'Used of the data partition.',
    read: ({ storage }) => storage?.usedBytes,
  },
  {
    name: 'hostnode_device_memory_total_bytes',
    help: 'Working memory of the phone.',
    read: ({ memory }) => memory?.totalBytes,
  },
  {
    name: 'hostnode_device_memory_used_bytes',
    help: 'Working memory of the phone that is not available.',
    read: ({ memory }) => memory?.usedBytes,
  },
];

/** Adds gauges with a series a phone; they read the status at each scrape. */
export function addPhoneGauges(registers: Registry[], source: Pick<StatusSource, 'status'>): void {
  /** A gauge that `read` fills again, phone after phone. */
  const add = <L extends string>(
    { name, help, labelNames }: { name: string; help: string; labelNames: L[] },
    read: (gauge: Gauge<L>, phone: PhoneStatus, udid: string) => void,
  ) =>
    new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset();
        const phones = source.status()?.phones ?? [];
        for (const phone of phones.slice(0, MOST_PHONES)) read(this, phone, label(phone.udid));
      },
    });
  const addReading = ({ name, help, read }: Reading, isShown: (phone: PhoneStatus) => boolean) =>
    add({ name, help, labelNames: ['udid'] }, (gauge, phone, udid) => {
      const value = isShown(phone) ? read(phone) : undefined;
      if (value !== undefined) gauge.set({ udid }, value);
    });

  add(
    {
      name: 'hostnode_device_info',
      help: `Always 1: which phone it is, and its slot. At most ${MOST_PHONES} phones have series.`,
      labelNames: ['udid', 'slot', 'model', 'brand', 'android'],
    },
    (gauge, { slot, model, brand, android }, udid) =>
      gauge.set(
        { udid, slot: label(slot), model: label(model), brand: label(brand), android: label(android) },
        1,
      ),
  );
  add(
    {
      name: 'hostnode_device_state',
      help: "Always 1: adb's word for the phone, disconnected while adb does not list it.",
      labelNames: ['udid', 'state'],
    },
    (gauge, { state }, udid) => gauge.set({ udid, state: label(state) }, 1),
  );
  for (const standing of standings) addReading(standing, () => true);
  for (const reading of readings) addReading(reading, ({ attached }) => attached);
}

/** Text of a phone or a person as a label, bounded. To Prometheus an empty label is none. */
export const label = (text = ''): string => printable(text, LONGEST_LABEL);
