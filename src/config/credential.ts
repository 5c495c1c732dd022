/** The credentials of the service: `LoadCredential=` of the unit. */
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { decryptCredential, encryptedForm } from './encrypted-credential.ts';
import { type PrivateFile, readSecretFile } from './key-file.ts';
import { isService } from './service-environment.ts';

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
 * service without credentials, and where this user can read neither.
 */
export function credentialFile(env: Environment, { name, stored }: Credential): string | undefined {
  if (env.CREDENTIALS_DIRECTORY) return join(env.CREDENTIALS_DIRECTORY, name);
  return isService(env) ? undefined : [stored, encryptedForm(stored)].find(isReadable);
}

/**
 * The text of that file.
 *
 * @throws {ConfigUnreadableError}
 */
export function readCredential(file: string, { name, stored }: Credential, env: Environment): PrivateFile {
  const directory = env.CREDENTIALS_DIRECTORY;
  return file === stored || directory ? readSecretFile(file, directory) : decryptCredential(name, file, env);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
