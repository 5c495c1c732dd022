/**
 * How well what we work with holds for a neighbour of it: each incident that is not kept is told again in other weeks, in
 * another time zone, minutes earlier or later, with more healthy phones beside it, with other ordinary life, with or without
 * slots. Its cause stays the same. `npx node test/findings/incidents/vary.ts 8 ['part of a name']`: how many of each.
 */
import { Random } from '../random.ts';
import { chainsOf } from '../room.ts';
import { incidents } from './all.ts';
import { hashed, type Lab, MINUTE } from './lab.ts';
import { type Incident, isKept } from './story.ts';
import { verdictOn } from './verdict.ts';

const [count = '5', part = ''] = process.argv.slice(2);
const out = (line: string) => process.stdout.write(`${line}\n`);
const zones = [
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'America/Sao_Paulo',
  'Australia/Sydney',
];

/** Another day of the same week, so many weeks later. */
const weeksLater = (day: string, weeks: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + weeks * 7 * 86_400_000).toISOString().slice(0, 10);

/** A hub whose phones are well. */
function addHub(lab: Lab, size: number): void {
  const chain = '7';
  const controller = 'pci-0000:00:14.0';
  const ports = chainsOf(chain, size).map((port, at) => ({
    chain: port,
    controller,
    bus: 1,
    slot: `rack 1, shelf 7, bay ${at + 1}`,
  }));
  lab.hubs.push({ chain, controller, bus: 1, ports });
  for (const port of ports) lab.add('usb', { port });
}

function varied(incident: Incident, number: number): Incident {
  const name = `${incident.name} (${number})`;
  const random = new Random(hashed(`${name}/varied`));
  const shiftMs = Math.round(random.between(-20, 20)) * MINUTE;
  const more = random.chance(0.5) ? random.whole(1, 5) : 0;
  const lab = incident.lab ?? {};
  return {
    ...incident,
    name,
    lab: {
      ...lab,
      zone: random.pick(zones),
      from: weeksLater(lab.from ?? '2026-02-02', random.whole(0, 40)),
      ...(random.chance(0.3) && { known: { ...lab.known, slots: lab.known?.slots === false } }),
    },
    tell(lab) {
      const at = lab.at.bind(lab);
      lab.at = (day, time) => at(day, time) + (time === undefined ? 0 : shiftMs);
      if (more > 0) addHub(lab, more);
      return incident.tell(lab);
    },
  };
}

let [right, all] = [0, 0];
for (const incident of incidents) {
  if (isKept(incident) || incident.cannotShow || !incident.name.includes(part)) continue;
  const wrongs: string[] = [];
  for (let number = 1; number <= Number(count); number += 1) {
    all += 1;
    const { outcome, why } = verdictOn(varied(incident, number));
    if (outcome === 'right') right += 1;
    else wrongs.push(`${number} ${outcome}: ${why.join(' | ')}`);
  }
  if (wrongs.length === 0) continue;
  const itself = verdictOn(incident).outcome;
  out(`\n${wrongs.length} of ${count}  ${incident.name} (itself ${itself})`);
  for (const wrong of part === '' ? wrongs.slice(0, 2) : wrongs) out(`    ${wrong.slice(0, 400)}`);
}
out(`\n${right} of ${all} right`);
