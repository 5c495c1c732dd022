/**
 * A phone as a folder of recordings: `phone.json` names the file of its properties, the files that it shows
 * (as those under /proc) and what each command line prints, in the text itself or in a file beside it.
 */
import { readFileSync } from 'node:fs';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { parseProperties } from './properties.ts';
import type { Recording } from './recording.ts';

export interface PhoneRecording {
  properties: ReadonlyMap<string, string>;
  /** Content by path. */
  files: ReadonlyMap<string, string>;
  commands: Recording[];
}

interface PhoneJson {
  properties: string;
  files: Record<string, string>;
  commands: { command: string; stdout?: string; stdoutFile?: string; stderr?: string; exitCode?: number }[];
}

const phones = new URL('phones/', import.meta.url);

/** Reads the phone of a folder of test/rig/phones, e.g. `htc-one-m7-4.1`. */
export function readPhone(name: string): PhoneRecording {
  const folder = new URL(`${name}/`, phones);
  const text = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const json: PhoneJson = JSON.parse(text('phone.json'));
  return {
    properties: parseProperties(text(json.properties)),
    files: new Map(Object.entries(json.files).map(([path, file]) => [path, text(file)])),
    commands: json.commands.map(({ stdoutFile, stdout, ...rest }) => ({
      ...rest,
      ...omitUndefined({ stdout: stdoutFile === undefined ? stdout : text(stdoutFile) }),
    })),
  };
}
