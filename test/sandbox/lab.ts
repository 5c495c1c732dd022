/** A sandbox for a test, and clients of its users. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CloudClient } from '../../src/cloud/index.ts';
import { Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await Sandbox.start(options);
  onTestFinished(() => sandbox.stop().catch(() => {}));
  return sandbox;
}

/** A client of `admin`, `member`, or `other`, who is in another organization. */
export function clientOf(sandbox: Sandbox, username = 'admin'): CloudClient {
  const { baseUrl, users } = sandbox.info;
  const user = users.find((each) => each.username === username);
  if (user === undefined) throw new Error(`no user ${username}`);
  const client = new CloudClient({ baseUrl, username, apiKey: user.apiKey, retryForMs: 0 });
  onTestFinished(() => client.close());
  return client;
}

/** The status of a call that must fail. */
export const statusOf = (call: Promise<unknown>): Promise<number | undefined> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: { status?: number }) => error.status,
  );

/** A folder for the files of one test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'hostnode-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
