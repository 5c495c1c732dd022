/** `hostnode cloud apps upload`: the three steps of an upload in one, with a progress bar on a terminal. */
import { constants, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { exitCode } from '../../base/exit-code.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { printable } from '../../base/printable.ts';
import type { CloudClient } from '../../cloud/client.ts';
import { contract } from '../../cloud/contract/index.ts';
import { valueOfText } from '../../cloud/contract/inputs.ts';
import { CloudVersionError } from '../../cloud/errors.ts';
import { prepare } from '../../cloud/request.ts';
import type { UploadProgress } from '../../cloud/upload.ts';
import { fail, ProgressLine, say, sayError } from '../terminal.ts';
import { type AnswerOptions, checkFields } from './answer.ts';
import { sayOutcome } from './call.ts';
import { type CloudOptions, chosenCloud, withClient } from './chosen-cloud.ts';
import { inFlags } from './refusals.ts';

export type UploadCommandOptions = CloudOptions<'wait' | 'dryRun', 'app' | 'filename'> & AnswerOptions;

async function parsed({ apps }: CloudClient, versionId: number): Promise<void> {
  await apps.waitForVersion(versionId).catch((error: unknown) => {
    if (!(error instanceof CloudVersionError)) throw error;
    fail(exitCode.failed, `the cloud has version ${versionId} in the state ${error.state}`);
  });
}

export const upload = (file: string, options: UploadCommandOptions): Promise<void> =>
  send(file, options).catch(inFlags(contract.apps.uploadUrl, (words) => words.replace('--app-id', '--app')));

async function send(file: string, options: UploadCommandOptions): Promise<void> {
  const appId = options.app === undefined ? undefined : valueOfText('integer', options.app);
  const { filename = basename(file) } = options;
  const input = omitUndefined({ filename, appId: appId as number | undefined });
  checkFields(contract.apps.create.answer, options);
  prepare(contract.apps.uploadUrl, input); // says what is wrong before the file is opened
  const { cloud } = await chosenCloud(options);
  await withClient(cloud, async (client) => {
    if (options.dryRun) {
      const { method, url, body = '' } = client.preview('apps.uploadUrl', input);
      const register = client.preview('apps.create', { appPath: '…', filename });
      return say(
        `${method} ${url}`,
        body,
        `PUT ${printable(file, 300)} to the upload URL`,
        `${register.method} ${register.url}`,
      );
    }
    if (!(await isArchive(file)))
      sayError(`${printable(file, 300)} does not look like an APK or an IPA; the cloud decides`);
    const progress = new ProgressLine();
    let drawnAt = 0;
    const ending = new AbortController();
    const end = () => ending.abort();
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
    try {
      const answer = await client.uploadApp(file, {
        ...input,
        signal: ending.signal,
        onProgress: (now) => {
          if (now.step !== 'transfer' || Date.now() - drawnAt < REDRAW_MS) return;
          drawnAt = Date.now();
          progress.show(progressText(now));
        },
      });
      progress.clear();
      await sayOutcome(contract.apps.create, answer, options);
      if (options.wait) await parsed(client, answer.versionId);
    } finally {
      progress.clear();
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
    }
  });
}

/** APK and IPA are ZIP archives. Says yes where the file cannot be read: the upload says why. */
async function isArchive(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe may have no writer
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead < 4 || buffer.readUInt32BE() === ZIP;
  } catch {
    return true;
  }
}

/** The first local file header: APPNOTE.TXT, section 4.3.7. */
const ZIP = 0x504b0304;
const REDRAW_MS = 100;
const MIB = 1024 ** 2;
const BAR = 24;

/** `uploading [██████──────────────────]  25 %  71.0 of 284.0 MiB`. */
export function progressText({ sentBytes, totalBytes }: UploadProgress): string {
  const part = sentBytes / totalBytes;
  const full = Math.floor(part * BAR);
  const [sent, total] = [sentBytes, totalBytes].map((bytes) => (bytes / MIB).toFixed(1));
  const percent = String(Math.floor(part * 100)).padStart(3);
  return `uploading [${'█'.repeat(full)}${'─'.repeat(BAR - full)}] ${percent} %  ${sent} of ${total} MiB`;
}
