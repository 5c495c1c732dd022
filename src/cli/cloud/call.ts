/** `hostnode cloud RESOURCE VERB`: calls one operation of the API, and prints the answer. */

import { exitCode } from '../../base/exit-code.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { OperationId } from '../../cloud/contract/index.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import { isSurelyPlainTag } from '../../cloud/contract/versions.ts';
import { prepare } from '../../cloud/request.ts';
import type { CloudConfig } from '../../config/load.ts';
import { say, sayError } from '../terminal.ts';
import { failuresIn } from './answer-shape.ts';
import { type CloudOption, chosenCloud, withClient } from './chosen-cloud.ts';
import { deviceIdOf } from './device-id.ts';
import { type Given, inputFrom, lowered } from './flags.ts';
import { objectOfFile, textOfFile } from './input-files.ts';
import { withPassword } from './new-password.ts';
import { confirmed, hasPerson } from './questions.ts';
import { explained, UsageError } from './refusals.ts';
import { type Format, sayAnswer } from './rendered.ts';

export interface CallOptions extends CloudOption {
  output?: Format;
  /** Ask nothing. */
  yes?: boolean;
  /** Print what would be sent, and send nothing. */
  dryRun?: boolean;
  /** A file with the body to send in place of ours. */
  body?: string;
  /** How to remove a tag. */
  method?: 'DEL' | 'DELETE';
}

type Texts = readonly (string | readonly string[] | undefined)[];
type Values = Readonly<Record<string, unknown>>;

/** @param texts the arguments, in the order of the contract */
export const callOperation = (operation: Operation, texts: Texts, options: CallOptions): Promise<void> =>
  explained(async () => {
    const more = options.body === undefined ? {} : { body: await objectOfFile(options.body) };
    const given = await inputFrom(operation, texts, options as Given, textOfFile);
    const input = 'body' in more ? given : await withPassword(operation, given);
    prepare(operation, input, more); // says all that is wrong before anything is sent
    warnOfTag(operation, input);
    const needsConsent = operation.isDestructive && !options.yes && !options.dryRun;
    if (needsConsent && !hasPerson())
      throw new UsageError(`use --yes to ${lowered(operation.summary)} without a question`);
    const { cloud } = await chosenCloud(options);
    const work = async (client: CloudClient) => {
      if (options.dryRun) return sayPreview(client, operation, input, more);
      if (needsConsent) await confirmed(question(operation, texts, cloud));
      const id = operation.id as OperationId;
      const answer: unknown = await client.request(id, (await named(client, input)) as never, more as never);
      await sayOutcome(operation, answer, options);
    };
    await withClient(cloud, work, options.method ?? cloud.untagMethod);
  }, operation);

/** A device may be named by its udid or its name where the API wants its id. */
async function named(client: CloudClient, input: Values): Promise<Values> {
  const { deviceId } = input;
  return typeof deviceId === 'string' ? { ...input, deviceId: await deviceIdOf(client, deviceId) } : input;
}

function warnOfTag({ id }: Operation, { name }: Values): void {
  if (id === 'versions.assignTag' && typeof name === 'string' && !isSurelyPlainTag(name))
    sayError('the tag has characters that the cloud may reject; letters, digits and . _ - are safe');
}

/** `Delete several apps: 12 13, at cloud.example.com?` */
function question({ summary }: Operation, texts: Texts, { baseUrl }: CloudConfig): string {
  const of = texts.flat().filter((text) => text !== undefined);
  return `${summary}${of.length > 0 ? `: ${of.join(' ')},` : ''} at ${new URL(baseUrl).host}?`;
}

function sayPreview(client: CloudClient, { id }: Operation, input: Values, more: object): void {
  const { method, url, body } = client.preview(id as OperationId, input as never, more as never);
  say(`${method} ${url}`, ...(body === undefined ? [] : [body]));
}

/** Prints it, or to a person that it is done; an answer that lists failures is one. */
export async function sayOutcome(
  operation: Operation,
  answer: unknown,
  { output }: Pick<CallOptions, 'output'>,
): Promise<void> {
  if (operation.answer === undefined || answer === undefined) {
    if (process.stderr.isTTY) sayError(`done: ${lowered(operation.summary)}`);
    return;
  }
  await sayAnswer(answer, operation.answer, output);
  if (operation.isAnswerSecret) sayError('the secret part of the answer is not shown');
  const failures = failuresIn(answer);
  if (failures.length === 0) return;
  sayError(`the cloud did not do all of it: ${failures.join(', ')}`);
  process.exitCode = exitCode.failed;
}
