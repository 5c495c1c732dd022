/**
 * A message about findings, in the form of who takes it: our JSON, the text of a chat's incoming webhook, or a card. Names
 * in it may be those of a phone that lies: each form takes them as text, without links, mentions and formatting. Pure.
 *
 * Sources: Slack, "Formatting text for app surfaces" (three characters are escaped, `<!channel>` mentions); Mattermost,
 * "Incoming webhooks" (Markdown; it also reads Slack's mentions: mattermost/mattermost-server#7615); Microsoft, "Create
 * Incoming Webhooks with Workflows" (takes Adaptive Cards only) and the schema of `TextRun` ("Markdown is not supported").
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { printable } from '../../base/printable.ts';
import { sentence } from '../../base/words.ts';
import type { NotifyTarget } from '../../config/notify.ts';
import type { Finding, Severity, Subject } from '../../diagnosis/finding.ts';

/** One finding that began, changed its severity, or ended. */
export interface Change {
  /** The same for one finding from its begin to its end; opaque. */
  id: string;
  change: 'began' | 'changed' | 'ended';
  code: string;
  severity: Severity;
  was?: Severity;
  /** ms since the epoch. */
  since: number;
  /** Absent of one that ended, where it was last told before a restart. */
  title?: string;
  /** Absent of one that ended; so are the next ones. */
  remedy?: string;
  certainty?: Finding['certainty'];
  subject?: Subject;
  udids?: readonly string[];
}

export interface Message {
  /** The host, as status and page call it. */
  host: string;
  nodeId?: string | undefined;
  /** ms since the epoch. */
  at: number;
  /** The worst first, those that ended last. Empty: a test. */
  changes: readonly Change[];
  /** How many findings there are now, of those that this address is told. */
  now: Readonly<Record<Severity, number>>;
}

const LONGEST_TITLE = 200;
/** With the name of a slot, whose last words may be that a step erases the phone. */
const LONGEST_REMEDY = 400;
/** Changes that a message lists: more are counted. */
const MOST_IN_JSON = 100;
const MOST_IN_CHAT = 8;
const MOST_UDIDS = 20;

/** The body, JSON, in the form of this target. */
export function bodyOf(message: Message, format: NotifyTarget['format']): string {
  if (format === 'json') return JSON.stringify(jsonOf(message));
  const lines = linesOf(message);
  if (format === 'teams') return JSON.stringify(cardOf(lines));
  if (format === 'mattermost') return JSON.stringify({ text: lines.map(forMattermost).join('\n') });
  const text = lines.map(forSlack).join('\n');
  return JSON.stringify({ text, mrkdwn: false, unfurl_links: false, unfurl_media: false });
}

function jsonOf({ host, nodeId, at, changes, now }: Message): object {
  const listed = changes.slice(0, MOST_IN_JSON).map(({ since, title, remedy, udids, ...rest }) =>
    omitUndefined({
      ...rest,
      since: new Date(since).toISOString(),
      title: title && printable(title, LONGEST_TITLE),
      remedy: remedy && printable(remedy, LONGEST_REMEDY),
      udids: udids?.slice(0, MOST_UDIDS),
    }),
  );
  return omitUndefined({
    version: 1,
    at: new Date(at).toISOString(),
    host,
    nodeId,
    test: changes.length === 0 || undefined,
    now,
    findings: listed,
    more: changes.length - listed.length || undefined,
  });
}

/** For people: a headline, one or two lines a change, and how many more there are. */
function linesOf({ host, changes, now }: Message): string[] {
  const name = printable(host, LONGEST_TITLE);
  if (changes.length === 0) return [`${name}: a test message of hostnode. Findings will come here.`];
  const count = (change: Change['change']) => changes.filter((each) => each.change === change).length;
  const parts = (['began', 'changed', 'ended'] as const).flatMap((change) =>
    count(change) === 0 ? [] : [`${count(change)} ${change}`],
  );
  const left = Object.entries(now).flatMap(([severity, many]) => (many === 0 ? [] : [`${many} ${severity}`]));
  const more = changes.length - MOST_IN_CHAT;
  return [
    `${name}: ${parts.join(', ')}. Now: ${left.join(', ') || 'nothing'}.`,
    ...changes.slice(0, MOST_IN_CHAT).flatMap(changeLines),
    ...(more > 0 ? [`and ${more} more: hostnode status`] : []),
  ];
}

function changeLines({ change, code, severity, was, title = '', remedy = '' }: Change): string[] {
  const how = change === 'ended' ? 'ended' : change === 'began' ? severity : `${severity}, was ${was}`;
  const what = printable(title, LONGEST_TITLE) || code;
  return [
    `${sentence(how)}: ${what} (${code})`,
    ...(remedy === '' ? [] : [`→ ${printable(remedy, LONGEST_REMEDY)}`]),
  ];
}

/** Invisible: it separates, so that no address is found and nobody is mentioned. */
const GAP = '\u200b';

/** What chats look for without any mark: addresses, and names after `@`. */
const inert = (text: string): string => text.replace(/:\/\/|www\.|@/gi, (mark) => mark + GAP);

const forSlack = (line: string): string =>
  inert(line).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Its server reads `<!channel>` before the marks of Markdown. */
const forMattermost = (line: string): string =>
  inert(line)
    .replace(/[\\`*_{}[\]()#+!~|&>-]/g, '\\$&')
    .replaceAll('<', `\\<${GAP}`);

/** Runs of text have no marks that mean anything. */
const cardOf = (lines: readonly string[]): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.2',
        body: lines.map((line, index) => ({
          type: 'RichTextBlock',
          inlines: [{ type: 'TextRun', text: inert(line), ...(index === 0 && { weight: 'bolder' }) }],
        })),
      },
    },
  ],
});
