/**
 * Whether somebody can become root on the phone. Our commands never open a dialog on its screen: root managers answer
 * `su -v` without one, and we run `su 0 …` only on a debuggable build with AOSP's own su.
 *
 * Sources: Magisk native/src/core/su/su.cpp; KernelSU userspace/ksud/src/su.rs; AOSP system/extras/su, which takes `-v`
 * for a user name: it prints `invalid uid/gid '-v'`, in 4.x nothing.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BootFacts } from './boot.ts';
import { plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';

/** Whether somebody can become root on the phone. */
export interface RootFacts {
  /** Absent if a su exists but prints nothing. */
  isRooted?: boolean;
}

/** The user in the output of `id`: `uid=2000(shell) …` or `uid=2000 …`; `id -u` prints only the number. */
export function parseUid(text: string): number | undefined {
  const uid = /^(?:uid=(\d{1,10})(?!\d)|(\d{1,10})[ \t]*$)/m.exec(plainText(text));
  const digits = uid?.[1] ?? uid?.[2];
  return digits === undefined ? undefined : Number(digits);
}

/** The kind of su, by its answer to `su -v`. */
export type Su = 'manager' | 'missing' | 'other';

/**
 * `27.0:MAGISKSU`, `1.0.1:KernelSU`, `2.82:SUPERSU`, `3.1.1`, `16 com.koushikdutta.superuser`: a version, or a name.
 */
const managerLine =
  /^v?\d+(?:[.:]\w| com\.| cm-su)|magisk|kernelsu|supersu|superuser|kinguser|kingo\b|apatch/i;
/** mksh: `su: not found`, since 12 `su: inaccessible or not found`; bash: `su: command not found`. */
const missing = /: (?:inaccessible or |command )?not found[ \t]*$/;
const failure = /not found|denied|can't execute|no such file|invalid|unknown|usage/i;

export function parseSuVersion(text: string): Su {
  const lines = plainText(text).slice(0, 4096).split('\n');
  if (lines.some((line) => managerLine.test(line) && !failure.test(line))) return 'manager';
  return lines.some((line) => missing.test(line)) ? 'missing' : 'other';
}

/**
 * Combines the three answers; each may be missing, since a su may hang.
 *
 * @throws {ParseError} when neither `id` nor a su gave a usable answer
 */
export function parseRoot(answers: { id?: string; version?: string; su?: string }): RootFacts {
  const uid = parseUid(answers.id ?? '');
  const version = answers.version === undefined ? undefined : parseSuVersion(answers.version);
  const isRoot = uid === 0 || version === 'manager' || parseUid(answers.su ?? '') === 0;
  if (isRoot) return { isRooted: true };
  if (uid === undefined) throw new ParseError('id', answers.id ?? '');
  return omitUndefined({ isRooted: version === 'missing' ? false : undefined });
}

export const root = {
  name: 'root',
  cadence: 'boot',
  limitSeconds: 2,
  limitBytes: 8 * KIB,
  commands: () => ({
    id: 'id',
    version: 'su -v',
    su: 'case "$(getprop ro.debuggable):$(su -v 2>&1)" in 1:|1:*uid/gid*)su 0 id -u;;esac',
  }),
  parse: (answers) => parseRoot(omitUndefined({ id: answers.id, version: answers.version, su: answers.su })),
  // `adb root` and `adb unroot` work without a reboot
  revision: ({ boot }: { boot?: BootFacts }) =>
    boot?.bootCompleted === undefined ? undefined : String(boot.adbRoot),
} as const satisfies Section<RootFacts, { boot?: BootFacts }>;
