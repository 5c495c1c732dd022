/** The answer of `hostnode verdict` for a terminal. */
import { localMoment } from '../base/calendar.ts';
import { isOfLab, type Verdict } from '../status/host-status.ts';
import { type Block, behind, paragraph, problem } from './columns.ts';
import { blamed } from './why-lines.ts';

/** Faults that are shown; `--json` has them all. */
const SHOWN = 20;

/** Control characters in foreign text are escaped. */
export function verdictLines(answer: Verdict, now: number): Block[] {
  const { phone, from, to, faults, unwatched, notLookedAt, watchedRatio } = answer;
  const shown = faults
    .toSorted((one, other) => Number(isOfLab(other)) - Number(isOfLab(one)))
    .slice(0, SHOWN);
  const more = faults.length - shown.length;
  const watched = watchedRatio === 1 ? 'all of it watched' : `${percent(watchedRatio)} of it watched`;
  const place = phone.slot === undefined ? '' : ` · ${phone.slot}`;
  return [
    paragraph(headline(answer), 'bold'),
    paragraph(`${phone.name} (${phone.udid})${place} · ${spanText(from, to, now)} · ${watched}`, 'dim'),
    ...shown.flatMap((fault) => {
      const mark = isOfLab(fault) ? ({ text: ' ! ', style: 'red' } as const) : { text: ' · ' };
      return problem(mark, faultText(fault, now), fault.remedy);
    }),
    ...(more > 0 ? [`   … and ${more} more: --json`] : []),
    ...unwatched.slice(-SHOWN).map(({ because, ...part }) => {
      const when = spanText(part.from, part.to, now);
      return behind({ text: ' ? ', style: 'yellow' }, `${when}  not watched: ${because}`);
    }),
    ...(notLookedAt.length === 0 ? [] : [paragraph(`Not looked at: ${notLookedAt.join(', ')}`, 'dim')]),
  ];
}

const headline = ({ verdict, watchedRatio }: Verdict): string => {
  if (verdict === 'lab') return 'The lab’s fault';
  if (verdict === 'nothing') return 'Nothing seen: it was the test, as far as the lab was watched';
  return `Not watched: nothing seen in ${percent(watchedRatio)} of the time, nobody knows of the rest`;
};

const percent = (ratio: number): string => `${Math.floor(ratio * 1000) / 10} %`;

/** To the second, unless it is a whole minute. */
const momentText = (at: number, now: number): string => {
  const seconds = new Date(at).getSeconds();
  return `${localMoment(at, now)}${seconds === 0 ? '' : `:${String(seconds).padStart(2, '0')}`}`;
};

const spanText = (from: number, to: number | undefined, now: number): string =>
  to === undefined
    ? `since ${momentText(from, now)}`
    : to === from
      ? momentText(from, now)
      : `${momentText(from, now)} to ${momentText(to, from)}`;

/**
 * `12:01:07 to 12:03  adb did not list it; certainly the hub: 5 of 5 phones …`.
 *
 * @param now without the day if it is this one's
 */
export function faultText(
  { at, until, title, certainty, blame }: Verdict['faults'][number],
  now: number,
): string {
  const who = blame === undefined ? '' : `; ${blamed(blame)}`;
  return `${spanText(at, until, now)}  ${title}${who}${certainty === 'certain' ? '' : `  (${certainty})`}`;
}
