import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MKSH = '/usr/bin/mksh';

/** A phone whose `service`, `dumpsys`, `content`, `getprop` and `id` answer what it is told. */
export interface TelephonyPhone {
  sdk: number;
  /** uid of adbd; 2000 is shell. */
  uid?: number;
  /** Replies of `service call iphonesubinfo …`, by what follows the name; any other call is answered with null. */
  replies?: Record<string, string>;
  /** Answers of `dumpsys NAME`; any other service is not there. */
  dumps?: Record<string, string>;
  /** Answer of `content query`. */
  rows?: string;
}

/** Runs commands in the shell of Android with these answers, as the probe runs them. */
export function ask(phone: TelephonyPhone, commands: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-telephony-'));
  const file = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(file(name), text);
  try {
    for (const part of ['bin', 'replies', 'dumps']) mkdirSync(file(part));
    for (const tool of ['grep', 'cat']) symlinkSync('/usr/bin/toybox', file(`bin/${tool}`));
    for (const [call, reply] of Object.entries(phone.replies ?? {})) write(`replies/${call}`, reply);
    for (const [service, dump] of Object.entries(phone.dumps ?? {})) write(`dumps/${service}`, dump);
    if (phone.rows !== undefined) write('rows', phone.rows);
    write('asked', '');
    for (const [name, script] of Object.entries(programs(phone))) {
      write(`bin/${name}`, `#!${MKSH}\n${script}\n`);
      chmodSync(file(`bin/${name}`), 0o755);
    }
    const run = (text: string) =>
      execFileSync(MKSH, ['-c', '(eval "$1")</dev/null 2>&1;:', 'sh', text], {
        encoding: 'utf8',
        env: { PATH: file('bin'), PHONE: folder },
      });
    const answers = Object.fromEntries(Object.entries(commands).map(([name, text]) => [name, run(text)]));
    return { answers, asked: readFileSync(file('asked'), 'utf8').trimEnd().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const programs = ({ sdk, uid = 2000 }: TelephonyPhone): Record<string, string> => ({
  getprop: `[ $1 = ro.build.version.sdk ]&&echo ${sdk}`,
  id: `[ "$1" = -u ]&&echo ${uid}`,
  service: [
    'echo "service $*" >>$PHONE/asked;shift 2',
    `if [ -f "$PHONE/replies/$*" ];then cat "$PHONE/replies/$*";else echo "Result: Parcel(00000000 ffffffff   '........')";fi`,
  ].join('\n'),
  dumpsys: `[ -f $PHONE/dumps/$1 ]&&exec cat $PHONE/dumps/$1;echo "Can't find service: $1" >&2`,
  content: 'echo "content $*" >>$PHONE/asked;cat $PHONE/rows',
});

/** What `service call` prints for a string. */
export function parcelOf(text: string): string {
  const bytes = Buffer.alloc(8 + 4 * Math.ceil((text.length + 1) / 2));
  bytes.writeUInt32LE(text.length, 4);
  bytes.write(text, 8, 'utf16le');
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const line = bytes.subarray(at, at + 16);
    const words = Array.from({ length: line.length / 4 }, (_, word) => hex(line.readUInt32LE(word * 4)));
    const ascii = [...line].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'));
    lines.push(`  0x${hex(at)}: ${words.join(' ').padEnd(35)} '${ascii.join('').padEnd(16)}'`);
  }
  return `Result: Parcel(\n${lines.join('\n')})\n`;
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** What `service call` prints for a refusal. */
export const REFUSED =
  "Result: Parcel(\n  0x00000000: ffffffff 00000021 00650052 00640061 '....!...R.e.a.d.')\n";
