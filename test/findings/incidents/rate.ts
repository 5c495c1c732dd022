/**
 * How often a month put together by chance has a false finding: `npx node test/findings/incidents/rate.ts 20001 300`, the
 * first number and how many; `KIND=chance` for the narrower labs, `DAYS=90` for what a month cannot show; a third word shows those of that code, with their routines.
 * None of these numbers is among the months of `all.ts`.
 */
import { monthOfChance } from './months/chance.ts';
import { monthOfPeople } from './months/people.ts';
import { quietVerdictOn } from './verdict.ts';

const [first = '20001', count = '100', wanted] = process.argv.slice(2);
const kinds = { chance: monthOfChance, people: monthOfPeople };
const { DAYS } = process.env;
const monthOf = kinds[(process.env.KIND ?? 'people') as keyof typeof kinds];
/** A sample of the moments, for the sake of the time that it takes. */
const MOST = 80;
const out = (line: string) => process.stdout.write(`${line}\n`);
if (Number(first) < 1000) throw new RangeError('numbers below 1000 are for the figures');

const counts = new Map<string, number>();
let [withLoud, withMinor] = [0, 0];
for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
  const ofMonth = monthOf(number);
  const month = DAYS ? { ...ofMonth, lab: { ...ofMonth.lab, days: Number(DAYS) } } : ofMonth;
  const { found } = quietVerdictOn(month, MOST);
  for (const code of new Set(
    found.map(({ code, severity }) => `${severity === 'minor' ? 'minor' : 'loud '} ${code}`),
  ))
    counts.set(code, (counts.get(code) ?? 0) + 1);
  if (found.some(({ severity }) => severity !== 'minor')) withLoud += 1;
  else if (found.length > 0) withMinor += 1;
  if (wanted === undefined) continue;
  for (const { severity, code, title, fromDay, untilDay, times } of found)
    if (code.includes(wanted))
      out(
        `${number} ${severity} ${code}: ${title}; day ${fromDay.toFixed(2)} to ${untilDay.toFixed(2)}, ${times} times\n      ${month.about ?? ''}`,
      );
}
out(`${withLoud} of ${count} months with a finding above minor, ${withMinor} more with a minor one`);
for (const [code, months] of [...counts].sort(([, one], [, other]) => other - one))
  out(`${String(months).padStart(5)} ${code}`);
