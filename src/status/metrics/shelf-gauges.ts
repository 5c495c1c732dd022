/** What Prometheus reads of each shelf: to make it of all phones of a thousand hosts costs it seconds. */
import { Gauge, type Registry } from 'prom-client';
import { placeInRoom } from '../../roster/slot-name.ts';
import type { Condition, PhoneStatus } from '../host-status.ts';
import type { StatusSource } from '../source.ts';
import { label, MOST_PHONES } from './phone-gauges.ts';

const conditionLabels: Readonly<Record<Condition, string>> = {
  fine: 'fine',
  needsAttention: 'needs_attention',
  maintenance: 'maintenance',
  unknown: 'unknown',
};

const shelfOf = ({ slot = '' }: PhoneStatus): string => label(placeInRoom(slot).band);

/** Adds gauges with a series a shelf. Phones beyond those with series of their own do not count. */
export function addShelfGauges(registers: Registry[], source: Pick<StatusSource, 'status'>): void {
  const phones = () => source.status()?.phones.slice(0, MOST_PHONES) ?? [];
  new Gauge({
    name: 'hostnode_shelf_devices',
    help: 'Phones of each shelf by condition, as hostnode_devices has them. Phones without a shelf share one without a name.',
    labelNames: ['shelf', 'condition'],
    registers,
    collect() {
      this.reset();
      for (const phone of phones())
        this.inc({ shelf: shelfOf(phone), condition: conditionLabels[phone.condition] });
    },
  });

  const addTemperature = (name: string, help: string, over: (celsius: readonly number[]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['shelf'],
      registers,
      collect() {
        this.reset();
        for (const [shelf, there] of Map.groupBy(phones(), shelfOf)) {
          const known = there
            .filter(({ attached }) => attached)
            .flatMap(({ battery }) => battery?.temperatureCelsius ?? []);
          if (known.length > 0) this.set({ shelf }, over(known));
        }
      },
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
}
