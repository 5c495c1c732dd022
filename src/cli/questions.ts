/** Questions to a person on the terminal. Loads the prompts only where one is asked. */
import { hostname } from 'node:os';
import { mustBe } from '../config/first-file.ts';
import type { NewProfile } from '../config/profiles.ts';
import { textOfFile } from './input-files.ts';
import { UsageError } from './terminal.ts';

export type Account = Pick<NewProfile, 'baseUrl' | 'username' | 'apiKey'>;

/** stdout is for results. */
const output = process.stderr;

export const hasPerson = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

export const notAccepted = ({ message }: Error): string =>
  `${message}${message.endsWith('?') ? '' : '.'} Nothing was written; --offline writes it without this check`;

export async function isConfirmed(message: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  return (await confirm({ message, initialValue: false, output })) === true;
}

/** A secret, typed without echo; undefined if the person gives up (Ctrl-C). */
export async function askSecret(message: string): Promise<string | undefined> {
  const { isCancel, password } = await import('@clack/prompts');
  const validate = (value: string | undefined) => (value ? undefined : 'Must be non-empty text');
  const answer = await password({ message, mask: '', validate, output }); // its length is nobody's business either
  return isCancel(answer) ? undefined : answer;
}

/** @throws {UsageError} standard input has none */
export async function apiKeyFromInput(): Promise<string> {
  const apiKey = (await textOfFile('-')).trim();
  const needed = mustBe('cloud.apiKey', apiKey);
  if (needed !== undefined) throw new UsageError(`the API key on standard input must be ${needed}`);
  return apiKey;
}

/** The host's name in the cloud, '' for one from the machine-id; undefined if the person gives up. */
export async function askNodeId(): Promise<string | undefined> {
  const { isCancel, text } = await import('@clack/prompts');
  const own = hostname();
  const message = "This host's name in the cloud (empty: a name from the machine-id)";
  const validate = (value: string | undefined) => (value ? problem('nodeId')(value) : undefined);
  const initialValue = mustBe('nodeId', own) === undefined && own !== 'localhost' ? own : '';
  const answer = await text({ message, initialValue, validate, output });
  return isCancel(answer) ? undefined : (answer ?? '').trim();
}

const problem = (name: Parameters<typeof mustBe>[0]) => (value: string | undefined) => {
  const needed = mustBe(name, (value ?? '').trim());
  return needed === undefined ? undefined : `Must be ${needed}`;
};

/** @returns undefined if the person gives up */
export async function askAccount(given: Partial<Account>): Promise<Account | undefined> {
  const { isCancel, password, text } = await import('@clack/prompts');
  const baseUrl =
    given.baseUrl ??
    (await text({
      message: "Address of the cloud's API, its v1 root",
      placeholder: 'https://cloud.example.com/v1',
      validate: problem('cloud.baseUrl'),
      output,
    }));
  if (isCancel(baseUrl)) return undefined;
  const message = 'User name or email address of the account';
  const username = given.username ?? (await text({ message, validate: problem('cloud.username'), output }));
  if (isCancel(username)) return undefined;
  const question = 'API key of the account (it is not shown)';
  const apiKey = await password({ message: question, mask: '', validate: problem('cloud.apiKey'), output });
  if (isCancel(apiKey)) return undefined;
  return { baseUrl: baseUrl.trim(), username: username.trim(), apiKey: apiKey.trim() };
}
