/** `hostnode cloud RESOURCE VERB`: calls one operation of the API, and prints the answer. */
import { attempt } from '../../base/errors.ts';
import { exitCode } from '../../base/exit-code.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CloudClient } from '../../cloud/client.ts';
import { valueIn } from '../../cloud/connection.ts';
import type { Device, DeviceList } from '../../cloud/contract/devices.ts';
import type { OperationId } from '../../cloud/contract/index.ts';
import { inputsOf } from '../../cloud/contract/inputs.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import { isSurelyPlainTag } from '../../cloud/contract/versions.ts';
import { prepare } from '../../cloud/request.ts';
import { NEW_USER_PASSWORD } from '../../config/environment.ts';
import type { CloudConfig } from '../../config/load.ts';
import { objectOfFile, textOfFile } from '../input-files.ts';
import { askSecret, hasPerson, isConfirmed } from '../questions.ts';
import { fail, say, sayError, UsageError } from '../terminal.ts';
import { type AnswerOptions, checkFields, failuresIn, sayAnswer } from './answer.ts';
import { type CloudOptions, chosenCloud, withClient } from './chosen-cloud.ts';
import { type Given, inputFrom, lowered } from './flags.ts';
import { cancelled, inFlags } from './refusals.ts';

export type CallOptions = CloudOptions<'yes' | 'dryRun', 'body'> &
  AnswerOptions & { method?: 'DEL' | 'DELETE' };

type Texts = readonly (string | readonly string[] | undefined)[];
type Values = Readonly<Record<string, unknown>>;

export const callOperation = (operation: Operation, texts: Texts, options: CallOptions): Promise<void> =>
  call(operation, texts, options).catch(inFlags(operation));

async function call(operation: Operation, texts: Texts, options: CallOptions): Promise<void> {
  const more = options.body === undefined ? {} : { body: await objectOfFile(options.body) };
  const given = await inputFrom(operation, texts, options as Given, textOfFile);
  if (operation.id === 'groups.list') given.organizationId ??= await ownOrganization(options);
  const input = 'body' in more ? given : await withPassword(operation, given);
  checkFields(operation.answer, options);
  prepare(operation, input, more); // says all that is wrong before anything is sent
  if (operation.id === 'versions.assignTag' && !isSurelyPlainTag(String(input.name)))
    sayError('the tag has characters that the cloud may reject; letters, digits and . _ - are safe');
  const needsConsent = operation.isDestructive && !options.yes && !options.dryRun;
  if (needsConsent && !hasPerson())
    throw new UsageError(`use --yes to ${lowered(operation.summary)} without a question`);
  const { cloud } = await chosenCloud(options);
  const work = async (client: CloudClient) => {
    if (options.dryRun) return sayPreview(client, operation, input, more);
    if (needsConsent && !(await isConfirmed(question(operation, texts, cloud)))) throw cancelled();
    const { deviceId } = input; // its udid or its name does too
    const named =
      typeof deviceId === 'string' ? { ...input, deviceId: await deviceIdOf(client, deviceId) } : input;
    const answer = await client.request(operation.id as OperationId, named as never, more as never);
    await sayOutcome(operation, answer, options);
  };
  await withClient({ ...cloud, ...omitUndefined({ untagMethod: options.method }) }, work);
}

async function ownOrganization(options: CallOptions): Promise<number> {
  const { organizationId } = (await chosenCloud(options)).cloud;
  if (organizationId !== undefined) return organizationId;
  throw new UsageError(
    'give the id of your organization once: hostnode cloud login --organization-id, or cloud.organizationId',
  );
}

/** `Delete several apps: 12 13, at cloud.example.com?` */
function question({ summary }: Operation, texts: Texts, { baseUrl }: CloudConfig): string {
  const of = texts.flat().filter((text) => text !== undefined);
  return `${summary}${of.length > 0 ? `: ${of.join(' ')},` : ''} at ${new URL(baseUrl).host}?`;
}

function sayPreview(client: CloudClient, { id }: Operation, input: Values, more: object): void {
  const { method, url, body } = client.preview(id as OperationId, input as never, more as never);
  const { deviceId } = input;
  const isLookedUp = typeof deviceId === 'string' && !isId(deviceId);
  const name = isLookedUp ? encodeURIComponent(deviceId) : '';
  const path = isLookedUp ? url.replace(`/${name}`, () => `/<id of ${name}>`) : url;
  say(`${method} ${path}`, ...(body === undefined ? [] : [body]));
}

export async function sayOutcome(
  operation: Operation,
  answer: unknown,
  options: AnswerOptions,
): Promise<void> {
  if (operation.answer === undefined || answer === undefined) {
    if (process.stderr.isTTY) sayError(`done: ${lowered(operation.summary)}`);
    return;
  }
  await sayAnswer(answer, operation.answer, options);
  if (operation.isAnswerSecret) sayError('the secret part of the answer is not shown');
  const failures = failuresIn(answer);
  if (failures.length > 0) fail(exitCode.failed, `the cloud did not do all of it: ${failures.join(', ')}`);
}

/**
 * The input with the secret that it needs and that no option gave: a new user's password, from the environment or from a
 * person, so that it is in no list of processes.
 *
 * @throws {CloudArgumentError} something else is wrong: nobody is asked then
 */
async function withPassword(operation: Operation, input: Values): Promise<Values> {
  const secret = inputsOf(operation).find(({ isSecret }) => isSecret);
  if (secret === undefined) return input;
  const { name } = secret;
  if (input[name] !== undefined) {
    sayError(
      `--${name}: other users of this host can see it in the list of processes; ${NEW_USER_PASSWORD} hides it, or the question on a terminal`,
    );
    return input;
  }
  if (attempt(() => prepare(operation, input))) return input; // single sign-on
  prepare(operation, { ...input, [name]: 'any' });
  const password = process.env[NEW_USER_PASSWORD];
  if (password) return { ...input, [name]: password };
  if (!hasPerson())
    throw new UsageError(
      `no password: set ${NEW_USER_PASSWORD}, or use a terminal, where you are asked for it`,
    );
  const typed = await askSecret('Password of the new user (it is not shown)');
  if (typed === undefined) throw cancelled();
  return { ...input, [name]: typed };
}

function devicesIn({ privateDevices, cloudDevices, favoriteDevices }: DeviceList): Device[] {
  // a favorite is listed once more, without its udid: the first entry counts
  const all = [...favoriteDevices, ...cloudDevices, ...privateDevices];
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

const isId = (name: string): boolean => /^\d+$/.test(name);

/**
 * An id of the cloud is sent as it is. Anything else is looked up in the list, by udid and then by name; where the list
 * has no such device it may still be an id, and is sent as it is.
 */
export async function deviceIdOf(client: Pick<CloudClient, 'devices'>, name: string): Promise<string> {
  if (isId(name)) return name;
  let found = devicesIn(await client.devices.list({ udid: name })).filter(({ udid }) => udid === name);
  const mayBeName = !name.includes(','); // a list of names
  if (found.length === 0 && mayBeName) {
    const called = devicesIn(await client.devices.list({ deviceName: [name] }));
    found = called.filter(({ deviceName }) => deviceName === name);
  }
  const [device, ...others] = found;
  if (device === undefined) return name;
  if (others.length > 0) {
    const ids = found.map(({ id, udid }) => (udid ? `${id} (${udid})` : id)).join(', ');
    throw new UsageError(`several devices have the name ${JSON.stringify(name)}; use an id: ${ids}`);
  }
  const { id, udid, deviceName } = device;
  sayError(`took device ${id}: ${[deviceName, udid].filter(Boolean).join(', ')}`);
  return String(id);
}

/** @param path below the root of the API: `/devices`, or with a version of its own, `/v2/apps/12` */
export async function callApi(method: string, path: string, options: CallOptions): Promise<void> {
  if (!/^[A-Z]{1,20}$/.test(method)) throw new UsageError('<method>: must be a method such as GET');
  if (!/^\/(?!\/)[!-~]*$/.test(path)) throw new UsageError('<path>: must be a path such as /v1/devices');
  const body = options.body === undefined ? undefined : await objectOfFile(options.body);
  const { cloud } = await chosenCloud(options);
  await withClient(cloud, async (client) => {
    const text = await client.raw(method, path, { body });
    // undefined for what is no JSON, or too deep to be written
    const written = attempt(() => JSON.stringify(valueIn(text), null, 2));
    if (text !== '') say(written ?? text);
  });
}
