/** `hostnode sandbox`: a device cloud on this machine, for trying things out and for tests. */
import { readFile } from 'node:fs/promises';
import { hasCode, parseJson } from '../base/errors.ts';
import { systemReason } from '../host/state-errors.ts';
import { holderOf } from '../host/tcp-listeners.ts';
import { DataFileError, Sandbox, type SandboxInfo, type SandboxOptions } from '../sandbox/sandbox.ts';
import { Seed } from '../sandbox/seed.ts';
import { FailedError, say } from './terminal.ts';

export interface SandboxCommandOptions
  extends Pick<SandboxOptions, 'port' | 'data' | 'control' | 'gestures' | 'nameHosts'> {
  seed?: string;
  json?: boolean;
}

export async function sandbox({ seed: file, json, ...options }: SandboxCommandOptions): Promise<void> {
  const end = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end.resolve());
  const seed = file === undefined ? undefined : await readSeed(file);
  const started = await Sandbox.start({ ...options, ...(seed && { seed }) }).catch(notStarted);
  if (json) say(JSON.stringify(started.info));
  else say(...linesOf(started.info, options.data));
  await end.promise;
  await started.stop().catch(notStarted);
}

/** Says what a person can do about a file, or about a port that this process cannot have. */
export async function notStarted(error: unknown): Promise<never> {
  const { port = 0 } = error as { port?: number };
  const refused = (why: string) => new FailedError(why);
  if (error instanceof DataFileError) throw refused(error.message);
  if (hasCode(error, 'EACCES')) throw refused(`you may not listen at port ${port}; use a --port above 1023`);
  if (!hasCode(error, 'EADDRINUSE')) throw error;
  const holder = await holderOf(port);
  throw refused(`port ${port} is taken${holder === undefined ? '' : ` by ${holder}`}; use another --port`);
}

async function readSeed(file: string): Promise<Seed> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new FailedError(`cannot read the seed ${file}: ${systemReason(error)}`);
  });
  const value = parseJson(text);
  if (value === undefined) throw new FailedError(`the seed ${file} is not JSON`);
  const { success, error } = Seed.safeParse(value);
  if (success) return value as Seed;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  throw new FailedError(`the seed ${file} is wrong: ${problems.join('; ')}`);
}

function linesOf({ baseUrl, storageUrl, controlUrl, users }: SandboxInfo, data?: string): string[] {
  return [
    `A sandbox cloud at ${baseUrl}; uploads go to ${storageUrl}. Ctrl-C ends it.`,
    data === undefined ? 'It keeps nothing after its end; --data FILE keeps it.' : `It keeps all in ${data}.`,
    ...(controlUrl === null ? [] : [`Control side, without credentials: ${controlUrl}/info`]),
    ...users.map(({ username, apiKey, role }) => `User ${username}, API key ${apiKey}, ${role}`),
    `Try: curl -u ${users[0]?.username}:${users[0]?.apiKey} ${baseUrl}/devices`,
  ];
}
