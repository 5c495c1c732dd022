/** The environment as layers: hostnode's variables override adb's. */

import type { Environment } from '../base/environment.ts';
import { parseJson } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { inner } from '../base/schema.ts';
import { valueAt } from '../base/words.ts';
import { type ConfigKey, configKeys } from './keys.ts';
import { type Layer, overlay, type Tree } from './layer.ts';
import { movedKeys } from './moved.ts';

const prefix = 'HOSTNODE_';

/** No key of the configuration: the descriptor of systemd's notification socket (daemon/sd-notify.ts). */
export const NOTIFY_FD = 'HOSTNODE_NOTIFY_FD';

/** The variable's value in the key's type. Other text stays text; the check rejects it. */
function typed(key: ConfigKey, text: string): unknown {
  const { type } = inner(key.schema).def;
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (type !== 'array' && type !== 'record') return text;
  return parseJson(text) ?? text;
}

const nested = (path: readonly string[], value: unknown): Tree =>
  path.reduceRight<unknown>((below, part) => ({ [part]: below }), value) as Tree;

interface Entry {
  readonly path: readonly string[];
  readonly variable: string;
  readonly value: unknown;
}

function layerOf(entries: readonly Entry[]): Layer {
  return {
    values: entries.reduce((tree, { path, value }) => overlay(tree, nested(path, value)), {} as Tree),
    where: (wanted) =>
      entries.find(({ path }) => path.every((part, index) => part === wanted[index]))?.variable ??
      'the environment',
  };
}

/** No key of the configuration: the password of a user that `hostnode cloud` creates. */
export const NEW_USER_PASSWORD = 'HOSTNODE_NEW_USER_PASSWORD';

/** No key of the configuration: the password of the hosts that `hostnode status --hosts` asks. */
export const HOSTS_PASSWORD = 'HOSTNODE_HOSTS_PASSWORD';

/** Every `HOSTNODE_…` variable that is set and not empty. */
export function environmentLayer(env: Environment): Layer {
  return layerOf(
    [...configKeys, ...movedKeys].flatMap((key) => {
      const text = env[key.variable];
      if (text === undefined || text.trim() === '') return [];
      const value = typed(key, key.schema.meta()?.secret ? text.replace(/\r?\n$/, '') : text);
      return [{ path: key.path, variable: key.variable, value }];
    }),
  );
}

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

/**
 * adb's own variables, as its client reads them (AOSP adb client/commandline.cpp): ADB_SERVER_SOCKET before
 * ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT.
 *
 * @param own our layers: what these override may be wrong, since it belongs to another program
 */
export function adbEnvironmentLayer(env: Environment, own: readonly Layer[]): Layer {
  const [, host, port] = /^tcp:(?:\[?(.+?)\]?:)?(\d+)$/.exec(env.ADB_SERVER_SOCKET ?? '') ?? [];
  const [ofHost, ofPort] =
    port === undefined
      ? ['ANDROID_ADB_SERVER_ADDRESS', 'ANDROID_ADB_SERVER_PORT']
      : ['ADB_SERVER_SOCKET', 'ADB_SERVER_SOCKET'];
  const number = port ?? env[ofPort];
  const entries = [
    { path: ['adb', 'host'], variable: ofHost, value: port === undefined ? env[ofHost] : host },
    { path: ['adb', 'port'], variable: ofPort, value: /^\d+$/.test(number ?? '') ? Number(number) : number },
  ];
  const isSet = (path: readonly string[]) => own.some(({ values }) => valueAt(values, path) !== undefined);
  return layerOf(entries.filter(({ path, value }) => value !== undefined && value !== '' && !isSet(path)));
}
