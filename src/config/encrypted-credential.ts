/** A credential of the service as `systemd-creds encrypt` stores it. systemd decrypts it for the service; a shell asks for that. */
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import type { PrivateFile } from './key-file.ts';

const LIMIT_MS = 10_000;
const MAX_BYTES = 65_536;

/** Where systemd looks for the encrypted form of a credential: `/etc/credstore.encrypted/NAME` for `/etc/credstore/NAME`. */
export const encryptedForm = (credential: string): string =>
  join(`${dirname(credential)}.encrypted`, basename(credential));

/**
 * Decrypts the file; only root can.
 *
 * @param name that the credential has in the unit, and in its encrypted file
 */
export function decryptCredential(name: string, file: string, { PATH }: Environment): PrivateFile {
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
