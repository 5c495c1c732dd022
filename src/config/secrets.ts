/** Secrets in files of their own (the API key, the page's password, the headers of a push), and the service's credentials. */
import { spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { type Environment, userName } from '../base/environment.ts';
import { hasCode, throwIfPassing } from '../base/errors.ts';
import type { Source } from './checks.ts';
import { exposuresOf, utf8, worstOf } from './safe-file.ts';
import { isService } from './service-environment.ts';

/** A value that always prints as `***`; only `reveal` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  get isEmpty(): boolean {
    return this.#value === '';
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}

const MAX_BYTES = 65_536;

/** The text of a file, or the problem with it. Neither: the file does not exist. */
export interface Content {
  readonly text?: string;
  readonly problem?: string;
  readonly file?: string;
  /** Only root can read it. */
  readonly isHidden?: boolean;
}

export const isMissing = ({ text, problem }: Content): boolean => text === undefined && problem === undefined;

/** True for a path; false for what may be the key itself in its place. */
export const isPath = (file: string): boolean => /^\.{0,2}\//.test(file);

/**
 * The text of a file that a setting names. Rejects a file that users other than its owner may read, except in the
 * credentials directory, which systemd protects.
 */
export function readNamedFile(file: string, env: Environment): Content {
  const found = readPrivateFile(file, env);
  if (!isMissing(found)) return found;
  return { problem: isPath(file) ? `${file}: no such file` : 'no such file; give a path' };
}

/** The same if it is one line, without its line end. */
export function oneLine(content: Content): Content {
  if (content.text === undefined || content.isHidden) return content;
  const text = content.text.replace(/\r?\n$/, '');
  return /^\P{Cc}+$/u.test(text) ? { text } : { problem: `${content.file}: must contain one line of text` };
}

/**
 * Reads a file with secrets. Rejects one that users other than its owner may read; of the agent's, also one that they may
 * replace by another.
 *
 * @param env of the agent, if it is the agent's file: systemd protects its credentials directory, whatever the modes are
 */
export function readPrivateFile(file: string, env?: Environment): Content {
  const guarded = env?.CREDENTIALS_DIRECTORY;
  const isGuarded = guarded !== undefined && dirname(resolve(file)) === resolve(guarded);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    const { mode, size } = stats;
    if (!stats.isFile()) return { problem: `${file}: not a regular file` };
    if (!isGuarded && (mode & 0o077) !== 0) {
      const whose = env === undefined ? '' : ' (its owner must be the agent’s user)';
      const shown = (mode & 0o777).toString(8).padStart(4, '0');
      return { problem: `${file}: other users can read it (mode ${shown}); run: chmod 600 ${file}${whose}` };
    }
    if (size > MAX_BYTES) return { problem: `${file}: too large (${size} bytes)` };
    const [open] =
      isGuarded || env === undefined ? [] : worstOf(exposuresOf(file, env, 'holds a secret')).problems;
    if (open !== undefined) return { problem: open };
    return { text: utf8(readFileSync(descriptor)), file };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throwIfPassing(file, error);
    if (hasCode(error, 'ENAMETOOLONG')) return { problem: 'too long for a path' };
    const user = userName() ?? `user ${process.getuid?.()}`;
    const remedy = hasCode(error, 'EACCES') ? `; its owner must be ${user}, who runs this command` : '';
    return {
      problem: `${file}: cannot be read (${error instanceof Error ? error.message : error})${remedy}`,
    };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export interface Credential {
  readonly name: 'cloud-api-key' | 'otlp-headers';
  /** Where the service gets it from: `/etc/credstore/hostnode.cloud-api-key`; encrypted beside it. */
  readonly stored: string;
}

/** Where the store has the headers of the metrics' push, beside the API key. */
export const headersBeside = (apiKey: string): Credential => ({
  name: 'otlp-headers',
  stored: join(dirname(apiKey), 'hostnode.otlp-headers'),
});

/**
 * The file of a credential; in a shell, the file from which the service gets it, plain or encrypted. Undefined in a
 * service without credentials, and where there is none.
 *
 * @param takesHidden a service looks there too: the check before its reload gets no credentials
 */
export function findCredential(
  env: Environment,
  { name, stored }: Credential,
  takesHidden = false,
): { file: string; isHidden?: boolean } | undefined {
  if (env.CREDENTIALS_DIRECTORY) return { file: join(env.CREDENTIALS_DIRECTORY, name) };
  if (isService(env) && !takesHidden) return undefined;
  for (const file of [stored, encryptedForm(stored)]) {
    try {
      accessSync(file, constants.R_OK);
      return { file };
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) return { file, isHidden: true };
    }
  }
  return undefined;
}

export function readCredential(
  credential: Credential,
  { env, takesHidden }: Pick<Source, 'env' | 'takesHidden'>,
): Content {
  const { file, isHidden } = findCredential(env, credential, takesHidden) ?? {};
  if (file === undefined) return {};
  if (isHidden) return takesHidden ? { text: '', isHidden } : {};
  const isPlain = file === credential.stored || env.CREDENTIALS_DIRECTORY;
  return { ...(isPlain ? readPrivateFile(file, env) : decryptCredential(credential.name, file, env)), file };
}

const LIMIT_MS = 10_000;

/** Where systemd looks for the encrypted form of a credential: `/etc/credstore.encrypted/NAME` for `/etc/credstore/NAME`. */
const encryptedForm = (credential: string): string =>
  join(`${dirname(credential)}.encrypted`, basename(credential));

/**
 * Decrypts the file; only root can.
 *
 * @param name that the credential has in the unit, and in its encrypted file
 */
function decryptCredential(name: string, file: string, { PATH }: Environment): Content {
  const { error, status, stdout, stderr } = spawnSync(
    'systemd-creds',
    ['decrypt', `--name=${name}`, file, '-'],
    { env: { PATH, LC_ALL: 'C' }, encoding: 'utf8', timeout: LIMIT_MS, maxBuffer: MAX_BYTES },
  );
  if (error !== undefined || status !== 0) {
    const why = error?.message ?? stderr.slice(0, 200).split('\n', 1)[0];
    return { problem: `${file}: systemd-creds cannot decrypt it (${why})` };
  }
  return { text: stdout };
}
