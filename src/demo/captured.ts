/** Phones that `hostnode inventory --capture` has saved, as recordings: one folder a phone. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { systemReason } from '../host/state-errors.ts';
import type { RecordedAnswer, Recording } from './recording.ts';

const short = z.string().max(200);

/** `phone.json`. */
const capturedPhone = z.object({
  /** A stand-in; in a line of adb's list it is one word. */
  serial: z.string().regex(/^[!-~]{0,128}$/, 'must be one word of at most 128 printable ASCII characters'),
  /** adb's word. */
  state: z.string().regex(/^[a-z][a-z ]{0,30}$/, 'must be a word of adb, such as device'),
  /** The API level. */
  sdk: z.int().min(1).max(1000).optional(),
  shellService: short.optional(),
  /** The day, UTC, as in 2026-01-31. */
  capturedOn: short,
  hostnode: short,
  /** Exit codes other than 0, by `section.command`. */
  exitCodes: z.record(short, z.int().min(0).max(255)),
  /** Commands that have no file, and why. */
  unanswered: z.record(short, short),
});

export type CapturedPhone = z.infer<typeof capturedPhone>;

const MOST_PHONES = 100;
const MOST_ANSWERS = 200;
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_BYTES_OF_PHONE = 16 * 1024 * 1024;
const answerFile = /^([a-zA-Z]{1,40}\.[a-zA-Z]{1,40})\.txt$/;
/** Android 10, for a phone that did not say. */
const USUAL_SDK = 29;

/** What is wrong with a folder of captured phones: which file, and why. */
export class CaptureUnreadableError extends Error {}

const refuse = (path: string, why: string): never => {
  throw new CaptureUnreadableError(`${printable(path, 500)}: ${why}`);
};

/**
 * @param directory as `inventory --capture` was given
 * @returns in the order of the folders' names, each on a USB port of its own
 * @throws {CaptureUnreadableError} names the file and what is wrong with it
 */
export async function readCaptured(directory: string): Promise<Recording[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) =>
    refuse(directory, `cannot be read (${systemReason(error)}); give the folder of inventory --capture`),
  );
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (names.length === 0)
    refuse(directory, 'holds no folder of a phone; hostnode inventory --capture makes them');
  if (names.length > MOST_PHONES)
    refuse(directory, `holds ${names.length} folders; at most ${MOST_PHONES} phones`);
  const phones: Recording[] = [];
  for (const [index, name] of names.toSorted().entries()) {
    const phone = await readPhone(join(directory, name), name, index);
    if (phones.some(({ serial }) => serial === phone.serial))
      refuse(join(directory, name, 'phone.json'), `serial ${phone.serial} is that of another folder too`);
    phones.push(phone);
  }
  return phones;
}

async function readPhone(folder: string, name: string, index: number): Promise<Recording> {
  const phone = parsePhone(join(folder, 'phone.json'), await readText(join(folder, 'phone.json')));
  const files = (await readdir(folder)).filter((file) => answerFile.test(file)).sort();
  if (files.length > MOST_ANSWERS) refuse(folder, `holds ${files.length} answers; at most ${MOST_ANSWERS}`);
  const answers: [string, RecordedAnswer][] = [];
  let bytes = 0;
  for (const file of files) {
    const command = file.slice(0, -'.txt'.length);
    const text = await readText(join(folder, file));
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES_OF_PHONE)
      refuse(folder, `holds over ${MOST_BYTES_OF_PHONE / 1024 / 1024} MB of answers`);
    answers.push([command, answerOf(text, phone.exitCodes[command])]);
  }
  return recordingOf(phone, Object.fromEntries(answers), { name, index });
}

function recordingOf(
  { serial, state, sdk = USUAL_SDK, capturedOn, hostnode }: CapturedPhone,
  answers: Recording['answers'],
  { name, index }: { name: string; index: number },
): Recording {
  const isOnUsb = !/^emulator-|:\d+$|\._tcp/.test(serial);
  return {
    title: printable(name, 100),
    origin: [`captured on ${printable(capturedOn, 20)} by hostnode ${printable(hostnode, 40)}`],
    ...{ serial, state, sdk, answers },
    ...(isOnUsb && { devpath: `1-${Math.floor(index / 4) + 1}.${(index % 4) + 1}` }),
  };
}

function answerOf(text: string, exitCode = 0): RecordedAnswer {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return exitCode === 0 ? lines : { lines, exitCode };
}

function parsePhone(path: string, text: string): CapturedPhone {
  const content = parseJson(text);
  if (content === undefined) return refuse(path, 'is not JSON');
  const { data, error } = capturedPhone.safeParse(content);
  const [issue] = error?.issues ?? [];
  return (
    data ??
    refuse(path, `${printable(issue?.path.join('.') ?? '', 100)}: ${printable(issue?.message ?? '', 200)}`)
  );
}

/** Of a plain file: a link may lead anywhere, a pipe never ends. */
async function readText(path: string): Promise<string> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) =>
    refuse(path, error.code === 'ENOENT' ? 'is not there' : `cannot be read (${systemReason(error)})`),
  );
  if (!stats.isFile()) refuse(path, 'is not a plain file');
  if (stats.size > MOST_BYTES) refuse(path, `has over ${MOST_BYTES / 1024 / 1024} MB`);
  return readFile(path, 'utf8').catch((error: unknown) =>
    refuse(path, `cannot be read (${systemReason(error)})`),
  );
}
