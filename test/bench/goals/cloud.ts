/** The sandbox beside a mock server of the same document, the start of a cloud command, and an upload beside curl. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApi } from '../../../src/cloud/openapi.ts';
import { Prism } from '../../judge/prism.ts';
import { machine } from '../../support/cloud-server.ts';
import { type Load, requestsPerSecond } from '../load.ts';
import { measure, median, type Taken, weightOf } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { credentials } from '../world.ts';
import { type Goal, rounded } from './goal.ts';

const MB = 1024 * 1024;
const LISTED = 100;
const REPORTED = 50;
const UPLOAD_BYTES = 1024 ** 3;
const LIMIT_MS = 120_000;

/** What the other process has. */
export interface Clouds {
  /** The v1 root of a sandbox. */
  sandboxUrl: string;
  /** Its devices. */
  devices: { udid: string }[];
  /** The v1 root of a cloud that throws uploads away. */
  wasteUrl: string;
}

export async function cloudGoals(setting: Setting): Promise<Goal[]> {
  const other = fork(fileURLToPath(new URL('../cloud-process.ts', import.meta.url)), [String(LISTED)]);
  try {
    const dead = new AbortController();
    other.once('exit', () => dead.abort(new Error('cloud-process.ts has ended')));
    const [clouds] = (await once(other, 'message', { signal: dead.signal })) as [Clouds];
    return [
      ...(await rateGoals(setting, clouds, other.pid ?? 0)),
      await startGoal(setting, clouds),
      ...(await uploadGoals(setting, clouds)),
    ];
  } finally {
    await ended(other);
  }
}

async function ended(other: ChildProcess): Promise<void> {
  const exit = once(other, 'exit');
  other.disconnect();
  await exit;
}

/** Requests a second, in turn, so that whatever else the machine does falls on both. */
async function rateGoals(
  { isQuick }: Setting,
  { sandboxUrl, devices }: Clouds,
  pid: number,
): Promise<Goal[]> {
  const { username, apiKey } = credentials;
  const headers = { authorization: `Basic ${btoa(`${username}:${apiKey}`)}` };
  const listed = await (await fetch(`${sandboxUrl}/devices`, { headers })).json();
  await using mock = await Prism.mock({ document: withAnswer(listed) });
  const get = { method: 'GET', headers };
  const put = {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ nodeId: 'bench', machine, devices: devices.slice(0, REPORTED) }),
  };
  const servers = [
    { root: sandboxUrl, pid },
    { root: `${mock.origin}/v1`, pid: mock.pid },
  ];
  const compared = async (what: string, load: Omit<Load, 'url'>): Promise<Goal> => {
    const measured = servers.map((): Rate[] => []);
    const rounds = isQuick ? 3 : 9;
    for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++)
      for (const [index, server] of servers.entries()) {
        const rate = await rateOf({ ...load, url: `${server.root}/devices` }, server.pid);
        if (round >= WARM_UP_ROUNDS) measured[index]?.push(rate);
      }
    const [ours = [], theirs = []] = measured;
    const middle = (rates: Rate[], key: keyof Rate) => rounded(median(rates.map((rate) => rate[key])));
    const both = (key: keyof Rate) => `${middle(ours, key)} and ${middle(theirs, key)}`;
    return {
      what: `sandbox, ${what}`,
      // round by round: the rest of the machine falls on both
      value: median(ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN))),
      unit: '× prism mock',
      atLeast: 3,
      detail: `${both('perSecond')} requests a second, ${both('cpuMs')} ms CPU a request`,
    };
  };
  return [
    await compared(`GET /devices with ${LISTED} devices`, get),
    await compared(`PUT /devices with ${REPORTED} devices`, put),
  ];
}

/** The compiler of V8 takes some thousand requests. */
const WARM_UP_ROUNDS = 2;
const ROUND_MS = 1_500;

interface Rate {
  perSecond: number;
  /** Of the server, for each request. */
  cpuMs: number;
}

async function rateOf(load: Load, pid: number): Promise<Rate> {
  const before = weightOf(pid).cpuMs;
  const perSecond = await requestsPerSecond(load, ROUND_MS);
  return { perSecond, cpuMs: (weightOf(pid).cpuMs - before) / (perSecond * (ROUND_MS / 1000)) };
}

/** The document, with this answer as the example of `GET /devices`: the mock then sends the same bytes. */
function withAnswer(listed: unknown): object {
  const document = openApi('3.1') as { paths: Record<string, { get?: { responses: Responses } }> };
  const content = document.paths['/v1/devices']?.get?.responses[200]?.content['application/json'];
  if (content === undefined) throw new Error('the document has no answer of GET /devices');
  content.example = listed;
  return document;
}
type Responses = Record<number, { content: Record<string, { example?: unknown }> }>;

async function startGoal(setting: Setting, { sandboxUrl }: Clouds): Promise<Goal> {
  const { hostnode, env, isQuick } = setting;
  const commands = [
    [process.execPath, '-e', '0'],
    [...hostnode, 'cloud', 'devices', 'list'],
  ];
  const all = { ...env, ...envOf(sandboxUrl) };
  const [node, list] = (await inTurn(commands, all, isQuick ? 5 : 15)).map((taken) =>
    median(taken.map(({ wallMs }) => wallMs)),
  ) as [number, number];
  return {
    what: `hostnode cloud devices list, ${LISTED} devices`,
    value: list / node,
    unit: '× node -e 0',
    atMost: 6,
    detail: `${rounded(list)} ms, node ${rounded(node)} ms`,
  };
}

async function uploadGoals(setting: Setting, { wasteUrl }: Clouds): Promise<Goal[]> {
  const { hostnode, env, stateDir, isQuick } = setting;
  const file = join(stateDir(), 'app.apk');
  writeFileSync(file, 'PK\u0003\u0004'); // as every APK begins
  truncateSync(file, UPLOAD_BYTES); // sparse
  const commands = [
    ['curl', '--silent', '--show-error', '--fail', '--upload-file', file, `${new URL(wasteUrl).origin}/file`],
    [...hostnode, 'cloud', 'apps', 'upload', file],
  ];
  const all = { ...env, ...envOf(wasteUrl) };
  const [curl = [], ours = []] = await inTurn(commands, all, isQuick ? 2 : 7);
  const [curlMs, ourMs] = [curl, ours].map((taken) => median(taken.map(({ wallMs }) => wallMs))) as [
    number,
    number,
  ];
  const what = `upload of ${UPLOAD_BYTES / 1024 ** 3} GiB`;
  return [
    {
      what,
      value: curlMs / ourMs,
      unit: '× as fast as curl -T',
      atLeast: 0.5,
      detail: `${rounded(ourMs)} ms with the start, curl ${rounded(curlMs)} ms`,
    },
    {
      what,
      value: Math.max(...ours.map(({ peakBytes }) => peakBytes)) / MB,
      unit: 'MB resident',
      atMost: 120,
    },
  ];
}

/** What each command takes, in turn; the first round fills the caches. */
async function inTurn(commands: string[][], env: Record<string, string>, rounds: number): Promise<Taken[][]> {
  const all = commands.map((): Taken[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, command] of commands.entries()) {
      const taken = await measure({ command, env, limitMs: LIMIT_MS });
      if (taken === undefined) throw new Error(`${command.join(' ')} did not end in ${LIMIT_MS / 1000} s`);
      if (round > 0) all[index]?.push(taken);
    }
  return all;
}

const envOf = (baseUrl: string): Record<string, string> => ({
  HOSTNODE_CLOUD_BASE_URL: baseUrl,
  HOSTNODE_CLOUD_USERNAME: credentials.username,
  HOSTNODE_CLOUD_API_KEY: credentials.apiKey,
});
