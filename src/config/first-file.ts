/** The first configuration of a new host: what a person must say, checked, and the file with it. */
import { allowed } from '../base/schema.ts';
import { checkBaseUrl } from './cloud.ts';
import { keyOf } from './keys.ts';
import { settings } from './schema.ts';

/** What the file holds; without `apiKeyFile` the key is the service's credential. */
export interface FirstSettings {
  readonly nodeId?: string;
  readonly baseUrl: string;
  readonly username: string;
  readonly apiKeyFile?: string;
}

type AskedKey = 'nodeId' | 'cloud.baseUrl' | 'cloud.username' | 'cloud.apiKey' | 'cloud.organizationId';

/** What the value must be, completing "must be …"; undefined if it is that. Does not repeat the value. */
export function mustBe(name: AskedKey, value: string | number): string | undefined {
  const schema = keyOf(name.split('.'))?.schema;
  if (schema?.safeParse(value).success === false) return allowed(schema);
  if (name !== 'cloud.baseUrl') return undefined;
  const address = checkBaseUrl(String(value), false);
  return 'mustBe' in address ? address.mustBe : undefined;
}

/** Before the comments, columns. */
const COMMENTS_AT = 42;

/** The text of the file: each value with its meaning. */
export async function firstFile({ nodeId, baseUrl, username, apiKeyFile }: FirstSettings): Promise<string> {
  const { stringify } = await import('yaml');
  const line = (key: string, value: unknown, meaning: string) =>
    `${`${key}: ${stringify(value, { lineWidth: 0 }).trimEnd()}`.padEnd(COMMENTS_AT - 1)} # ${meaning}`;
  const { report, roster } = settings.parse({});
  return [
    '# hostnode: the values that you may want to change. "hostnode config show" prints all of them.',
    nodeId === undefined
      ? line('# nodeId', 'rack-2', "this host's name in the cloud; if left out, derived from the machine-id")
      : line('nodeId', nodeId, "this host's name in the cloud"),
    'cloud:',
    line('  baseUrl', baseUrl, "the v1 root of the cloud's API"),
    line('  username', username, "the account's user name or email address"),
    apiKeyFile === undefined
      ? '  # The API key is the credential of the service, /etc/credstore/hostnode.cloud-api-key.'
      : line('  apiKeyFile', apiKeyFile, 'the file with the API key; only its owner may read it'),
    'report:',
    line('  schedule', report.schedule, 'a full report every minute; changes are reported at once'),
    'roster:',
    line('  forgetAfterDays', roster.forgetAfterDays, 'how long an unplugged phone is remembered here'),
    '',
  ].join('\n');
}
