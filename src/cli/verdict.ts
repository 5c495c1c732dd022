/** `hostnode verdict`: was it the lab or the test? The answer is the exit code, too. */
import { stat } from 'node:fs/promises';
import { DAY_MS, localMoment, zoneName } from '../base/calendar.ts';
import { exitCode } from '../base/exit-code.ts';
import { textOf } from '../base/styled-text.ts';
import { firstOf, quantity } from '../base/words.ts';
import { systemReason } from '../host/state-errors.ts';
import { isOfLab, type Verdict } from '../status/host-status.ts';
import { type AgentOptions, callAgent } from './agent.ts';
import { type Block, behind, fitted, paragraph, problem, show } from './columns.ts';
import { bytesOfFile } from './input-files.ts';
import { JunitError, type JunitFile, markedJunit, readJunit } from './junit.ts';
import { momentOf } from './moment.ts';
import { fileBehind, notWritten, writeNewFiles } from './output-files.ts';
import { FailedError, sayError, sayJson, UsageError } from './terminal.ts';
import { blamed } from './why.ts';

export type VerdictOptions = AgentOptions<'utc' | 'json', 'from' | 'to' | 'junit'>;

/** A file of more is no list of tests. */
const MOST_MIB = 64;
const MOST_SAID = 3;

/** The agent answers no longer question. */
const MOST_DAYS = 90;

const codes = { nothing: exitCode.ok, lab: exitCode.lab, unwatched: exitCode.unwatched } as const;

export async function verdict(name: string, options: VerdictOptions): Promise<void> {
  const { from: fromText, to: toText, junit: path, utc = false, json, ...option } = options;
  if (fromText === undefined && path === undefined) throw new UsageError('--from: say when the test began');
  if (path === '-' && json) throw new UsageError('--json: with --junit - the file has the standard output');
  const given = (option: '--from' | '--to', text: string | undefined) =>
    text === undefined ? undefined : Math.max(0, momentOf(option, text));
  const [begun, ended] = [given('--from', fromText), given('--to', toText)];
  const junit = path === undefined ? undefined : await opened(path, { utc, from: begun });
  const from = begun ?? junit?.from;
  const to = ended ?? junit?.to ?? Date.now();
  if (from === undefined) throw new UsageError(`no test in ${path} has a time: say --from and --to`);
  if (from >= to) {
    const begin = fromText === undefined ? 'the first test' : `--from ${fromText}`;
    const last = junit?.to === undefined ? 'now' : 'the end of the last test';
    throw new UsageError(`${begin}: must be before ${toText === undefined ? last : `--to ${toText}`}`);
  }
  if (to - from > MOST_DAYS * DAY_MS)
    throw new UsageError(`--from: must be within ${MOST_DAYS} days before --to`);
  const query = new URLSearchParams({ from: String(Math.floor(from)), to: String(Math.ceil(to)) });
  const answer = await callAgent<Verdict>(option, {
    path: `/api/verdict/${encodeURIComponent(name)}?${query}`,
  });
  if (path !== undefined && junit) await mark(path, junit, answer);
  process.exitCode = codes[answer.verdict];
  if (json) return sayJson(answer);
  const blocks = verdictLines(answer, Date.now());
  if (path !== '-') return show(...blocks);
  const [first = '', ...others] = fitted(blocks).map(textOf);
  sayError(first, ...others);
}

async function opened(
  path: string,
  { utc, from }: { utc: boolean; from: number | undefined },
): Promise<JunitFile> {
  try {
    if (path !== '-' && !(await stat(path)).isFile()) throw new JunitError('is no file');
    const file = readJunit(await bytesOfFile(path, MOST_MIB), { utc, ...(from !== undefined && { from }) });
    if (file.hasZoneless && !utc)
      sayError(
        `the times in ${path} name no zone: taken as local (${zoneName(Date.now())}); --utc if they are UTC, as Gradle writes them`,
      );
    return file;
  } catch (error) {
    const isOfFile = error instanceof JunitError || error instanceof RangeError;
    const why = isOfFile ? `${path} ${error.message}` : `${path}: cannot be read (${systemReason(error)})`;
    throw new FailedError(why);
  }
}

async function mark(path: string, file: JunitFile, { faults, from, to, hasMore }: Verdict): Promise<void> {
  const ofLab = faults.filter(isOfLab);
  const now = Date.now();
  const { bytes, marked, outside } = markedJunit(file, { from, to }, (test) => {
    const found = ofLab.filter(({ at, until = now }) => at < test.to && until >= test.from);
    if (found.length === 0) return '';
    // read elsewhere, and later: with the day and the zone
    const texts = found.map((fault) => faultText(fault, 0));
    return `${firstOf(texts, MOST_SAID, '; ')} (${zoneName(test.from)})`;
  });
  if (hasMore) sayError(`more than ${faults.length} faults: tests before the first of these are not marked`);
  if (outside > 0)
    sayError(
      `${quantity(outside, 'test')} in ${path} not judged: without a time, or not between --from and --to`,
    );
  if (path === '-') return void process.stdout.write(bytes);
  if (marked === 0)
    return sayError(
      `no test marked in ${path}: none ran in a fault of the lab, or each has a property lab already`,
    );
  try {
    const target = await fileBehind(path);
    await writeNewFiles([{ path: target, text: bytes, mode: (await stat(target)).mode & 0o777 }], true);
  } catch (error) {
    notWritten('file')(error);
  }
  sayError(`${quantity(marked, 'test')} marked in ${path}: property lab`);
}

/** Faults that are shown; `--json` has them all. */
const SHOWN = 20;

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

/** `12:01:07 to 12:03  adb did not list it; certainly the hub: 5 of 5 phones …`. */
function faultText({ at, until, title, certainty, blame }: Verdict['faults'][number], now: number): string {
  const who = blame === undefined ? '' : `; ${blamed(blame)}`;
  return `${spanText(at, until, now)}  ${title}${who}${certainty === 'certain' ? '' : `  (${certainty})`}`;
}
