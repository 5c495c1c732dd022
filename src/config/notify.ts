/** `notify`, where a word goes when a finding begins, changes or ends: its schema, and the checks that it cannot express. */
import * as z from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import { pathText } from '../base/words.ts';
import { checkRoot } from '../cloud/roots.ts';
import { findingCodes } from '../diagnosis/rules/index.ts';
import { checkWay, type Source, usableAddress } from './checks.ts';
import { authorities, flag, path } from './kinds.ts';
import { headersIn } from './metrics.ts';
import { oneLine, readNamedFile, Secret } from './secrets.ts';

const formats = ['json', 'slack', 'mattermost', 'teams'] as const;
const severities = ['critical', 'major', 'minor'] as const;
const MOST = 10;

const target = z
  .strictObject({
    url: z.string().min(1).exactOptional().meta({
      description:
        'Where to post. The addresses of chats are secrets: better put them into a file (urlFile).',
      allowed: 'an https:// address without user or fragment',
      secret: true,
    }),
    urlFile: path(
      'The file with that address; only its owner may read it (chmod 600, for the service also chown hostnode).',
      '/etc/hostnode/slack-url',
    ),
    format: z.enum(formats).default('json').meta({ description: 'Who takes it.' }),
    severity: z.enum(severities).default('major').meta({ description: 'The least severity that is told.' }),
    codes: z.array(z.enum(findingCodes)).default([]).meta({
      description: 'Only these codes. Default: all.',
      allowed: 'a list of codes, such as HUB_LOST',
    }),
    headersFile: path(
      'The file with headers of each message, such as "Authorization: Bearer …", one a line; only its owner may read it.',
      '/etc/hostnode/notify-headers',
    ),
    allowInsecure: flag(false, 'Allow a plain http:// address other than this host.'),
    caFile: authorities,
  })
  .meta({ allowed: 'an entry with url or urlFile; also format, severity, codes, headersFile, caFile' });

export const notifySettings = z
  .array(target)
  .max(MOST)
  .default([])
  .meta({
    description:
      'Where a message goes when a finding begins, changes its severity or ends; each entry with url or urlFile, format (json, slack, mattermost, teams), severity, codes, headersFile.',
    allowed: `a list of at most ${MOST} entries, each with url or urlFile (in the environment: as JSON)`,
  });

export interface NotifyTarget extends Pick<z.infer<typeof target>, 'format' | 'severity' | 'codes'> {
  /** Its settings, for messages: `notify.1`. */
  readonly key: string;
  /** Whole; of a chat it holds a secret. */
  readonly url: Secret;
  /** What may be shown of it: `https://hooks.example.com/…`. */
  readonly shown: string;
  /** By name. */
  readonly headers: Readonly<Record<string, Secret>>;
  /** The authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
}

export const resolveNotify = (
  entries: z.infer<typeof notifySettings>,
  source: Source,
): readonly NotifyTarget[] =>
  entries.flatMap((entry, index) => {
    const problems: string[] = [];
    const name = pathText(['notify', index]);
    const where: Source['where'] = (...path) => source.where(index, ...path);
    const found = resolveTarget(entry, { ...source, name, problems, where });
    source.problems.push(...problems);
    return found === undefined || problems.length > 0 ? [] : [found];
  });

function resolveTarget(
  { url, urlFile, headersFile, allowInsecure, caFile, ...rest }: z.infer<typeof target>,
  source: Source,
): NotifyTarget | undefined {
  const { name, env, problems, where } = source;
  const given = urlFile === undefined ? { text: url } : oneLine(readNamedFile(urlFile, env));
  const key = urlFile === undefined ? 'url' : 'urlFile';
  if ((url === undefined) === (urlFile === undefined))
    problems.push(`${name} (${where()}): must have either url or urlFile`);
  else if (given.text === undefined)
    problems.push(`${name}.${key}: ${'problem' in given ? given.problem : ''}`);
  const checked = checkRoot(given.text ?? '', {
    isInsecureAllowed: allowInsecure,
    insecure: `https://, or ${name}.allowInsecure true`,
    credentials: `${name}.headersFile`,
    exposed: 'the messages and their headers',
    mayHaveQuery: true,
  });
  const address = given.text && usableAddress(key, undefined, checked, source);
  const { ca } = checkWay(address, caFile, source);
  const { headers = {}, problem } =
    headersFile === undefined ? {} : headersIn(readNamedFile(headersFile, env));
  if (problem !== undefined) problems.push(`${name}.headersFile: ${problem}`);
  if (!address) return undefined;
  const shown = `${new URL(address).origin}/…`;
  return omitUndefined({ ...rest, key: name, url: new Secret(address), shown, headers, ca });
}
