/** What the environment says: hostnode's variables override adb's. */

import type { Environment } from '../base/environment.ts';
import { parseJson } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { inner } from '../base/schema.ts';
import { type ConfigKey, configKeys } from './keys.ts';
import type { Entry, Layer } from './layer.ts';
import { movedKeys } from './moved.ts';

const prefix = 'HOSTNODE_';

// no keys of the configuration:
/** The descriptor of systemd's notification socket (daemon/systemd.ts). */
export const NOTIFY_FD = 'HOSTNODE_NOTIFY_FD';
/** The password of a user that `hostnode cloud` creates. */
export const NEW_USER_PASSWORD = 'HOSTNODE_NEW_USER_PASSWORD';
/** The password of the hosts that `hostnode status --hosts` asks. */
export const HOSTS_PASSWORD = 'HOSTNODE_HOSTS_PASSWORD';

/** The variable's value in the key's type. Other text stays text; the check rejects it. */
function typed(key: ConfigKey, text: string): unknown {
  const { type } = inner(key.schema).def;
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (type !== 'array' && type !== 'record') return text;
  return parseJson(text) ?? text;
}

/** Every `HOSTNODE_…` variable that is set and not empty. */
export const environmentEntries = (env: Environment): Entry[] =>
  [...configKeys, ...movedKeys].flatMap((key): Entry[] => {
    const { path, schema, variable } = key;
    const text = env[variable] ?? '';
    if (text.trim() === '') return [];
    const value = typed(key, schema.meta()?.secret ? text.replace(/\r?\n$/, '') : text);
    return [{ path, value, where: () => variable }];
  });

/** A warning for each `HOSTNODE_…` variable that belongs to no key. */
export function unknownVariables(env: Environment): string[] {
  const variables = [...configKeys, ...movedKeys].map((key) => key.variable);
  const known = [...variables, NOTIFY_FD, NEW_USER_PASSWORD, HOSTS_PASSWORD];
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `${name}: unknown variable, ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

const socketIn = ({ ADB_SERVER_SOCKET = '' }: Environment) =>
  /^tcp:(?:\[?(.+?)\]?:)?(\d+)$/.exec(ADB_SERVER_SOCKET);

/** A warning where adb's own variable names a server that we cannot reach, and nothing else says where one is. */
export function adbWarnings(env: Environment, where: Layer['where']): string[] {
  const isTold = ['host', 'port'].some((key) => where(['adb', key]) !== 'default');
  if (!env.ADB_SERVER_SOCKET || socketIn(env) || isTold) return [];
  return ['ADB_SERVER_SOCKET: ignored, as it names no TCP port; set adb.host and adb.port'];
}

/**
 * adb's own variables, as its client reads them (AOSP adb client/commandline.cpp): ADB_SERVER_SOCKET before
 * ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT.
 *
 * @param own our entries: what these override may be wrong, since it belongs to another program
 */
export function adbEntries(env: Environment, own: readonly Entry[]): Entry[] {
  const socket = socketIn(env);
  const variables = socket
    ? ['ADB_SERVER_SOCKET', 'ADB_SERVER_SOCKET']
    : ['ANDROID_ADB_SERVER_ADDRESS', 'ANDROID_ADB_SERVER_PORT'];
  const set = own.map(({ path }) => path.join('.'));
  const keys = configKeys.filter(({ name }) => ['adb.host', 'adb.port'].includes(name));
  return keys.flatMap((key, index): Entry[] => {
    const variable = variables[index] ?? '';
    const text = socket ? socket[index + 1] : env[variable];
    if (!text || set.includes(key.name)) return [];
    return [{ path: key.path, value: typed(key, text), where: () => variable }];
  });
}
