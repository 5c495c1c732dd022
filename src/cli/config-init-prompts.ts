/** Asks a person for the cloud's address and account, on the terminal. */
import { isCancel, password, text } from '@clack/prompts';
import { mustBe } from '../config/first-file.ts';

export interface Account {
  readonly baseUrl: string;
  readonly username: string;
  readonly apiKey: string;
}

/** stdout is for results. */
const output = process.stderr;

const problem = (name: Parameters<typeof mustBe>[0]) => (value: string | undefined) => {
  const needed = mustBe(name, (value ?? '').trim());
  return needed === undefined ? undefined : `Must be ${needed}`;
};

/**
 * @param given answers that need no question
 * @returns undefined if the person gives up (Ctrl-C)
 */
export async function askAccount(given: Partial<Account>): Promise<Account | undefined> {
  const baseUrl =
    given.baseUrl ??
    (await text({
      message: "Address of the cloud's API, its v1 root",
      placeholder: 'https://cloud.example.com/v1',
      validate: problem('cloud.baseUrl'),
      output,
    }));
  if (isCancel(baseUrl)) return undefined;
  const username =
    given.username ??
    (await text({
      message: 'User name or email address of the account',
      validate: problem('cloud.username'),
      output,
    }));
  if (isCancel(username)) return undefined;
  const apiKey = await password({
    message: 'API key of the account (it is not shown)',
    mask: '', // its length is nobody's business either
    validate: problem('cloud.apiKey'),
    output,
  });
  if (isCancel(apiKey)) return undefined;
  return { baseUrl: baseUrl.trim(), username: username.trim(), apiKey: apiKey.trim() };
}
