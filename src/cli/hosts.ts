/** `hostnode status --hosts`: one table of several hosts and one list of what needs attention, read from their pages. */
import pLimit from 'p-limit';
import * as z from 'zod';
import { duration } from '../base/calendar.ts';
import { ConfigError, parseJson } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { printable } from '../base/printable.ts';
import type { Line, Style } from '../base/styled-text.ts';
import { version } from '../base/version.ts';
import { quantity } from '../base/words.ts';
import { CloudError } from '../cloud/errors.ts';
import { gotEngine } from '../cloud/got-engine.ts';
import { Http, type HttpResponse } from '../cloud/http.ts';
import { type OtherHost, otherHosts, userHostsFile } from '../config/hosts.ts';
import { isHostProblem } from '../status/host-status.ts';
import { type Block, fitted, problem, tableOf } from './columns.ts';
import { alarm, causeLines } from './status-lines.ts';
import { say, sayJson, terminalWidth, UsageError } from './terminal.ts';
import { firstFitting, rowsOf } from './terminal-view.ts';

const AT_ONCE = 8;
const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
/** The status of some thousand phones. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

/** Problems of one host that are listed: the worst. The others are counted. */
const MOST_OF_A_HOST = 200;

const LONGEST_NAME = 60;
/** Another host may be anybody: its words are bounded, and one printable line each. */
const textOf = (limit: number) =>
  z
    .string()
    .max(4000)
    .transform((text) => printable(text, limit));
const name = textOf(LONGEST_NAME);
const sentence = textOf(500);
const moment = z.number().min(0).max(8.64e15);
const count = z.number().int().min(0).max(1_000_000);

const cause = z.object({
  kind: name,
  title: sentence,
  remedy: sentence,
  since: moment,
  udids: z.array(textOf(200)).max(100_000),
  code: name.exactOptional(),
  severity: z.enum(['critical', 'major', 'minor']).exactOptional(),
  certainty: z.enum(['certain', 'likely', 'possible']).exactOptional(),
  subject: z.enum(['phone', 'port', 'hub', 'network', 'host', 'room']).exactOptional(),
});

const phone = z.object({
  udid: textOf(200),
  serial: name,
  name,
  slot: name.exactOptional(),
  devpath: name.exactOptional(),
});

/** What is read of another host's `/api/status`; other fields may be there. */
const otherStatus = z.object({
  takenAt: moment,
  host: z.object({ name, version: name }),
  reports: z.object({
    notReporting: sentence.exactOptional(),
    storedAt: moment.exactOptional(),
    failure: sentence.exactOptional(),
  }),
  counts: z.object({ phones: count, needsAttention: count }),
  causes: z.array(cause).max(10_000),
  phones: z.array(phone).max(100_000),
});

type OtherStatus = z.infer<typeof otherStatus>;

/** Why a host has no status: `kind` for a program, the rest for people. */
interface Failure {
  kind: 'unreachable' | 'unauthorized' | 'refused' | 'tooLarge' | 'notHostnode' | 'otherVersion';
  seen: string;
  remedy: string;
}

export interface AskedHost extends Pick<OtherHost, 'name' | 'origin'> {
  status?: OtherStatus;
  failure?: Failure;
}

export async function hostsStatus(wanted: string | undefined, json = false): Promise<void> {
  const { env } = process;
  const misnamed = (error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    const [first = '', ...rest] = error.problems;
    throw new UsageError(first, ...rest);
  };
  const hosts = await otherHosts(wanted, env).catch(misnamed);
  if (hosts.length === 0)
    throw new UsageError(`name the hosts: --hosts rack-1,rack-2, or in ${userHostsFile(env)}`);
  const limit = pLimit(AT_ONCE);
  const asked = await Promise.all(hosts.map((host) => limit(() => ask(host, env)))).catch(misnamed);
  if (asked.some(({ failure }) => failure !== undefined)) process.exitCode = exitCode.failed;
  const { rows } = process.stdout;
  if (json) sayJson({ hosts: asked });
  else say(...hostsLines(asked, { width: terminalWidth(process.stdout), rows: rows || undefined }));
}

/** @throws {ConfigError} the environment names a proxy that is no address */
async function ask({ name, origin, password }: OtherHost, env: NodeJS.ProcessEnv): Promise<AskedHost> {
  const { protocol } = new URL(origin);
  const authorization =
    password && `Basic ${Buffer.from(`hostnode:${password.reveal()}`).toString('base64')}`;
  const http = new Http(authorization ? { authorization } : {}, {
    ...{ engine: gotEngine, protocol, proxyEnv: env },
    ...{ connectTimeoutMs: CONNECT_MS, requestTimeoutMs: ANSWER_MS },
  });
  const request = `GET ${origin}`;
  try {
    const answer = await http.send({
      ...{ method: 'GET', url: new URL('/api/status', origin), requested: { request } },
      isIdempotent: false, // so no redirect is followed
      largestAnswerBytes: LARGEST_ANSWER_BYTES,
    });
    return { name, origin, ...readAnswer(answer, password !== undefined) };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const { failure, remedy = '' } = error.trouble;
    return {
      ...{ name, origin },
      failure: {
        kind: 'unreachable',
        seen: failure.slice(request.length + ': '.length),
        remedy: remedy
          .replace('the base URL', 'its name and port')
          .replace('cloud.caFile', 'NODE_EXTRA_CA_CERTS'),
      },
    };
  }
}

const HERE = 'Check its name and port, and that its status.listen serves the part page there';

const refusals: Readonly<Record<number, Omit<Failure, 'kind'>>> = {
  421: {
    seen: 'does not know its name',
    remedy: 'Name it by its address, or add the name to its status.hostNames',
  },
  429: { seen: 'too many wrong passwords', remedy: 'Wait a minute' },
  503: { seen: 'its agent is starting', remedy: 'Try again in a moment' },
};

export function readAnswer(
  { status, text, isWhole }: Pick<HttpResponse, 'status' | 'text' | 'isWhole'>,
  hasPassword: boolean,
): Pick<AskedHost, 'status' | 'failure'> {
  const failed = (kind: Failure['kind'], seen: string, remedy = HERE) => ({
    failure: { kind, seen, remedy },
  });
  const seen = hasPassword ? 'wrong password' : 'needs its password';
  if (status === 401) return failed('unauthorized', seen, 'Give it in HOSTNODE_HOSTS_PASSWORD');
  const refusal = refusals[status];
  if (refusal) return failed('refused', refusal.seen, refusal.remedy);
  if (status !== 200) return failed('notHostnode', `HTTP ${status}`);
  if (!isWhole) return failed('tooLarge', 'the answer is too large');
  const value = parseJson(text);
  const { data, error } = otherStatus.safeParse(value);
  if (error === undefined) return { status: data };
  const theirs = z.object({ host: z.object({ version: name }) }).safeParse(value).data?.host.version;
  if (theirs === undefined) return failed('notHostnode', 'not hostnode');
  const remedy = `It answers in another form than ${version}: use the same version`;
  return failed('otherVersion', `version ${theirs}`, remedy);
}

const columns = [
  { title: 'HOST', leastWidth: 12 },
  'STATE',
  { title: 'PHONES', alignRight: true },
  'NEED ATTENTION',
  'REPORTED',
  'VERSION',
];

export function hostsLines(
  hosts: readonly AskedHost[],
  {
    width = Number.POSITIVE_INFINITY,
    rows = Number.POSITIVE_INFINITY,
  }: { width?: number | undefined; rows?: number | undefined },
): Line[] {
  const table = fitted([tableOf(columns, hosts.map(rowOf), ['VERSION', 'REPORTED'])], width);
  const each = hosts.map((host) => problemsOf(host).sort(byRank));
  const problems = each.flatMap((ofHost) => ofHost.slice(0, MOST_OF_A_HOST)).sort(byRank);
  if (problems.length === 0) return [...table, '', 'Nothing needs attention'];
  const head: Line[] = [...table, '', [{ text: 'Needs attention', style: 'bold' }]];
  // one row for the prompt
  const room = { rows: rows - rowsOf(head, width) - 1, columns: width, forRest: 1 };
  const { lines, left } = firstFitting(problems, ({ blocks }) => fitted(blocks(), width), room);
  const more = each.reduce((sum, { length }) => sum + length, left - problems.length);
  return [...head, ...lines, ...(more === 0 ? [] : [`… ${quantity(more, 'more problem')}`])];
}

function rowOf({ name: given, status, failure }: AskedHost) {
  const HOST = printable(given, LONGEST_NAME);
  if (status === undefined) return { HOST, STATE: { text: failure?.seen ?? '', style: 'red' as const } };
  const { host, counts, causes, reports, takenAt } = status;
  const { notReporting, failure: why, storedAt } = reports;
  const ago = storedAt === undefined ? 'not yet' : `${duration(Math.max(0, takenAt - storedAt))} ago`;
  const [word, style]: [string, Style] =
    causes.length === 0 ? ['fine', 'green'] : [quantity(causes.length, 'problem'), 'red'];
  return {
    HOST,
    STATE: { text: word, style },
    PHONES: String(counts.phones),
    'NEED ATTENTION': counts.needsAttention === 0 ? '' : String(counts.needsAttention),
    REPORTED:
      notReporting === undefined
        ? { text: ago, style: why === undefined ? undefined : ('red' as const) }
        : 'no',
    VERSION: host.version,
  };
}

/** `blocks` costs time for long texts: only what is shown is described. */
interface Problem {
  rank: number;
  blocks: () => Block[];
}

const byRank = (one: Problem, other: Problem): number => one.rank - other.rank;

const ranks = { critical: 2, major: 3, minor: 4 } as const;

/** Trouble first: a host that does not answer, one with a problem of its own, then by severity. */
function problemsOf({ name: given, origin, status, failure }: AskedHost): Problem[] {
  const host = printable(given, LONGEST_NAME);
  if (failure !== undefined) {
    const blocks = () => problem(alarm, `${host}: ${failure.seen}  (${origin})`, failure.remedy);
    return [{ rank: 0, blocks }];
  }
  const phones = new Map(status?.phones.map((phone) => [phone.udid, phone]));
  return (status?.causes ?? []).map((cause) => ({
    rank: isHostProblem(cause) ? 1 : ranks[cause.severity ?? 'major'],
    blocks: () =>
      causeLines(
        { ...cause, title: `${host}: ${cause.title}` },
        cause.udids.flatMap((udid) => phones.get(udid) ?? []),
        { mark: alarm, now: Math.max(cause.since, status?.takenAt ?? 0) },
      ),
  }));
}
