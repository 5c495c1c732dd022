/** docs/api.md, made from the contract. `vitest -u test/docs/api.test.ts` writes it. */
import { inspect } from 'node:util';
import { exampleWords } from '../src/cli/cloud/flags.ts';
import { operations } from '../src/cloud/contract/index.ts';
import { inputsOf } from '../src/cloud/contract/inputs.ts';
import type { Operation } from '../src/cloud/contract/operation.ts';

const INTRODUCTION = `# The cloud's API

This page is for whoever scripts the device cloud: each operation with a line of TypeScript, a line of shell, and what
nobody outside the cloud knows about it ("Open"). It is made from the contract in \`src/cloud/contract/\`. What each input and field
means is in [openapi.yaml](openapi.yaml), in the types of the package, and in \`hostnode cloud … --help\`.

## TypeScript

\`npm run package:npm\` makes the package in \`dist/npm\`, as ES module and as CommonJS, with the commands \`npx hostnode
cloud\` and \`npx hostnode sandbox\`; \`npm pack ./dist/npm\` packs it.

\`\`\`ts
import { CloudClient, CloudError } from 'hostnode/cloud';

const client = new CloudClient({ baseUrl: 'https://cloud.example.com/v1', username: 'lab@example.com', apiKey });
const apps = await client.apps.list();
const { versionId } = await client.uploadApp('shop.apk', { onProgress: ({ sentBytes }) => show(sentBytes) });
await client.versions.assignTag({ versionId, name: 'nightly' }, { signal: AbortSignal.timeout(5_000) });
\`\`\`

- \`client.request('apps.list')\` is \`client.apps.list()\`. The values of path, query and body are one object.
- A wrong input is an error before anything is sent. Answers are passed on with all their fields, entries that are not as
  documented too; a whole number above 2^53 is text.
- **Repeats**: while the cloud is unavailable, for \`retryForMs\` (20 s), with growing delays and \`Retry-After\`. A POST is
  sent once.
- Behind a proxy give \`proxyEnv: process.env\`: without it, HTTPS_PROXY, HTTP_PROXY and NO_PROXY are not read. A CA of
  your own is \`ca\`, PEM text. Both hold for the storage too.
- **One call** may have \`signal\`, \`timeoutMs\` and \`retryForMs\` of its own, behind its input.
- \`onRequest\` is called before each request, and may add headers; \`onAnswer\` after each answer, with its status and time.
- \`client.close()\` closes the idle connections, so that a script can end at once; calls that run go on.
- \`untagMethod: 'DELETE'\` is for servers that do not take the method \`DEL\`; \`v2BaseUrl\` for a v2 that is not beside v1.

Every error is a \`CloudError\` with \`code\`, \`operation\`, \`status\`, \`excerpt\` (the cloud's message, without secrets),
\`retryAfterMs\`, and the \`headers\` and \`body\` of the answer:

| class | when |
|---|---|
| \`CloudArgumentError\` | an input is wrong; \`problems\` lists all; nothing was sent |
| \`CloudUnauthorizedError\`, \`CloudForbiddenError\` | 401; 403 |
| \`CloudNotFoundError\`, \`CloudConflictError\`, \`CloudTooLargeError\`, \`CloudRefusedError\` | 404; 409; 413; another 4xx |
| \`CloudRateLimitedError\`, \`CloudServerError\`, \`CloudUnavailableError\` | 429; 5xx; 408, no connection or no answer in time |
| \`CloudRedirectError\`, \`CloudAnswerError\`, \`CloudAnswerTooLongError\` | a redirect; an answer that is not one of this API, or longer than hostnode reads |
| \`CloudUploadError\` | an upload failed: \`step\` says where, \`leftBehind\` what the cloud has now |
| \`CloudVersionError\` | \`apps.waitForVersion\`: the cloud could not parse the version, or not in time; \`state\` |

## Upload an app

\`\`\`ts
const { versionId } = await client.uploadApp('shop.apk', { appId: 12 });
await client.uploadApp(blob, { filename: 'shop.apk' }); // or a Buffer, or a stream with its sizeBytes
await client.apps.waitForVersion(versionId, { forMs: 60_000 }); // until the cloud has parsed it
\`\`\`

\`\`\`sh
hostnode cloud apps upload shop.apk --app 12
\`\`\`

Three steps: \`apps.uploadUrl\`, a PUT of the file to the object storage, \`apps.create\`. The storage gets no credentials,
the URL is never shown, and redirects are not followed. The header \`x-<vendor>-tagging: unsaved=true\` takes its vendor from
the URL, else from \`storageVendor\`. After an error read \`leftBehind\` before you register the file yourself: it may be
registered already.

## What holds for all operations

- Any 2xx is a success. Where the API documents only a status, the body is ignored.
- The API documents few errors: hostnode shows the \`message\` of a JSON body (or its \`error\`, \`errors\`, \`detail\` or \`title\`),
  200 characters of it, and says of any other body what it is: \`an HTML page\`.
- Ids of devices are text, and are not converted into each other.
- Pagination and rate limits are not known: one request, the whole list.
`;

/** A line of TypeScript that calls the operation with its example. */
function typescript({ id, example }: Operation): string {
  const options = { depth: 10, breakLength: Number.POSITIVE_INFINITY, compact: true };
  const input =
    Object.keys(example).length === 0
      ? ''
      : inspect(example, options).replaceAll('[ ', '[').replaceAll(' ]', ']');
  return `await client.${id}(${input});`;
}

/** A line of shell that does the same. Secrets are asked for. */
const shell = (operation: Operation): string =>
  operation.id === 'devices.report'
    ? 'hostnode inventory --report'
    : ['hostnode cloud', ...operation.command, ...exampleWords(operation)].join(' ');

/** What it takes beside what the example shows. */
function furtherInputs(operation: Operation): string[] {
  const names = inputsOf(operation).map(({ name }) => name);
  const further = names.filter((name) => !(name in operation.example)).map((name) => `\`${name}\``);
  return further.length === 0 ? [] : [`Also takes ${further.join(', ')}.`];
}

const notesOf = ({ rules, unknown, errors, isAdminOnly }: Operation): string[] => [
  ...(isAdminOnly ? ['Needs the organization admin role.'] : []),
  ...rules,
  ...Object.entries(errors).map(([status, condition]) => `${status}: ${condition}`),
  ...unknown.map((sentence) => `Open: ${sentence}`),
];

const listed = (notes: readonly string[]): string[] =>
  notes.length === 0 ? [] : [...notes.map((note) => `- ${note}`), ''];

function operationPart(operation: Operation, notes: readonly string[]): string {
  const { id, api, method, path, summary } = operation;
  return [
    `### ${id}`,
    '',
    `${summary}: \`${method} ${api === 'v2' ? '/v2' : ''}${path}\``,
    '',
    ...['```ts', typescript(operation), '```', ''],
    ...['```sh', shell(operation), '```', ''],
    ...listed([...furtherInputs(operation), ...notes]),
  ].join('\n');
}

/** A section; what several of its operations share stands once, above them. */
function sectionPart(section: string, members: readonly Operation[]): string {
  const notes = members.map(notesOf);
  const shared = [...Map.groupBy(notes.flat(), (note) => note)].filter(([, all]) => all.length > 1);
  const above = shared.map(([note, all]) =>
    all.length === members.length ? note : `${idsWith(note, members).join(', ')}: ${note}`,
  );
  const parts = members.map((member, index) =>
    operationPart(
      member,
      (notes[index] ?? []).filter((note) => !shared.some(([other]) => other === note)),
    ),
  );
  const title = `${section.charAt(0).toUpperCase()}${section.slice(1)}`;
  return [`## ${title}`, '', ...listed(above), parts.join('\n')].join('\n');
}

const idsWith = (note: string, members: readonly Operation[]): string[] =>
  members.filter((member) => notesOf(member).includes(note)).map(({ id }) => `\`${id}\``);

/** The whole page. */
export function apiPage(): string {
  const sections = Map.groupBy(operations, ({ section }) => section);
  const parts = [...sections].map(([section, members]) => sectionPart(section, members));
  return `${[INTRODUCTION, ...parts].join('\n').trimEnd()}\n`;
}
