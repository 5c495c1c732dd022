/** What may never be, whatever the fault. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { stateOf } from './surroundings.ts';
import { username, type World } from './world.ts';

/** Said only of a bug. */
const BUGS = ['this should not have happened', 'the round failed'];

/** What was wrong with the reports, the log and the state until now. */
export async function wrongsOf(world: World): Promise<string[]> {
  const { agent, witness, apiKeys, cloud } = world;
  const bugs = agent.lines.filter(({ msg, level }) => BUGS.includes(msg) || level === 'fatal');
  const texts = [JSON.stringify(agent.lines), agent.stderr, await textOf(stateOf(world))];
  const secrets = [...apiKeys.flatMap(spellings), ...identifiersOf(cloud)];
  const leaks = secrets.filter((secret) => texts.some((text) => text.includes(secret)));
  return [
    ...witness.violations,
    ...bugs.map((line) => JSON.stringify(line)),
    ...leaks.map((secret) => `a secret was shown: ${secret.slice(0, 4)}…`),
    ...agent.strange.map((line) => `a line of the log is no JSON: ${line}`),
    ...(agent.stderr === '' ? [] : [`stderr: ${agent.stderr}`]),
  ];
}

const spellings = (apiKey: string) => [apiKey, Buffer.from(`${username}:${apiKey}`).toString('base64')];

/** The telephony identifiers among what the cloud holds. */
const identifiersOf = (cloud: Sandbox): string[] =>
  cloud
    .devices()
    .flatMap(({ info }) => info.telephony?.carriersInfo ?? [])
    .flatMap(({ imei, meid, iccid }) => [imei, meid, iccid].filter((id) => id !== undefined));

/** All text of a folder's files, as far as they can be read. */
async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8').catch(() => ''));
  return (await Promise.all(read)).join('\n');
}
