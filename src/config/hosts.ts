/** The hosts whose status one screen shows: those of the command line, and of the user's own file. */
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { HOSTS_PASSWORD } from './environment.ts';
import { parseFile } from './file.ts';
import { userFile } from './profiles.ts';
import { readPrivateFile, Secret } from './secrets.ts';

export interface OtherHost {
  readonly name: string;
  /** `http://rack-1:9477`. */
  readonly origin: string;
  readonly password?: Secret;
}

/** More do not fit any screen. */
const MOST_HOSTS = 100;
/** Where hostnode serves its page, unless it is told otherwise. */
const USUAL_PORT = '9477';

const file = z.strictObject({ hosts: z.array(z.string().min(1).max(300)).max(MOST_HOSTS) });

export const userHostsFile = (env: Environment): string => userFile(env, 'hosts.yaml');

/**
 * @param wanted addresses with commas between them; undefined: all of the file
 * @throws {ConfigError} an address is none, or the file cannot be used
 */
export async function otherHosts(wanted: string | undefined, env: Environment): Promise<OtherHost[]> {
  const given =
    wanted
      ?.split(',')
      .map((address) => address.trim())
      .filter((address) => address !== '') ?? (await readHostsFile(userHostsFile(env)));
  if (given.length > MOST_HOSTS) throw new ConfigError([`at most ${MOST_HOSTS} hosts`]);
  const password = env[HOSTS_PASSWORD] ? new Secret(env[HOSTS_PASSWORD]) : undefined;
  const hosts = new Map(given.map(hostOf).map((host) => [host.origin, host]));
  return [...hosts.values()].map((host) => omitUndefined({ ...host, password }));
}

/** No file is no host. */
async function readHostsFile(path: string): Promise<string[]> {
  const { text, problem } = readPrivateFile(path); // whoever writes it says where passwords go
  if (problem !== undefined) throw new ConfigError([problem]);
  if (text === undefined) return [];
  const layer = await parseFile(path, text);
  const { data, error } = file.safeParse(layer.values);
  const where = layer.where(error?.issues[0]?.path ?? []);
  const problems = [...layer.problems, ...(error ? [`${where}: must be "hosts:", a list of addresses`] : [])];
  if (problems.length > 0 || data === undefined) throw new ConfigError(problems);
  return data.hosts;
}

function hostOf(url: string): Pick<OtherHost, 'name' | 'origin'> {
  const isBare = !url.includes('://');
  const address = URL.parse(isBare ? `http://${url}` : url);
  const isPlain = address !== null && ['http:', 'https:'].includes(address.protocol);
  if (address?.username || address?.password || url.includes('@'))
    throw new ConfigError([`a password does not belong into an address: give it in ${HOSTS_PASSWORD}`]);
  if (!isPlain || address.pathname !== '/' || address.search !== '' || address.hash !== '')
    throw new ConfigError([
      `${JSON.stringify(url.slice(0, 100))}: must be a host name or address, with or without a port, or http(s)://host:port`,
    ]);
  if (isBare && !/:\d+\/?$/.test(url)) address.port = USUAL_PORT;
  return { name: isBare ? url : address.host, origin: address.origin };
}
