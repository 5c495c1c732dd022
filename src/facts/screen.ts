/**
 * The size of the screen, from `wm size` (Android 4.3 on), else from `dumpsys window`.
 *
 * Source: AOSP Wm.java and WindowManagerShellCommand.java, `Physical size: WxH` and, where one is set,
 * `Override size: WxH`; DisplayContent.java, dump(): `init=WxH Ddpi base=WxH Ddpi cur=…`, base only where it
 * differs, from Android 12 on with another word before it. Both are in the natural orientation.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { KIB, type Section } from './section.ts';

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The result of `wm size`, in natural orientation. */
export interface ScreenFacts {
  physical?: Size;
  override?: Size;
}

/** A size from its digits; undefined for an area of 0: the screen has not started yet. */
export function sizeOf(width: string | undefined, height: string | undefined): Size | undefined {
  const size = { width: Number(width), height: Number(height) };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

/**
 * Parses `wm size`, or `dumpsys window` with or without the lines around `init=`.
 *
 * @throws {ParseError} when it has no size (e.g. "Error: Can't find service: window")
 */
export function parseScreen(text: string): ScreenFacts {
  const named = (name: string) => {
    const digits = new RegExp(`\\b${name} size: ?(\\d{1,5})x(\\d{1,5})(?!\\d)`).exec(text);
    return sizeOf(digits?.[1], digits?.[2]);
  };
  const facts = omitUndefined({ physical: named('Physical'), override: named('Override') });
  const found = facts.physical || facts.override ? facts : parseWindowSizes(text);
  if (!found.physical && !found.override) throw new ParseError('wm size', text);
  return found;
}

/** `dumpsys window` from its default display on: a car or a desktop may list another display first. */
export const fromDefaultDisplay = (dump: string): string =>
  dump.slice(Math.max(0, dump.indexOf('Display: mDisplayId=0')));

/** The sizes of the default display in `dumpsys window`; empty if it has none. */
export function parseWindowSizes(dump: string): ScreenFacts {
  const sizes =
    /\binit=(\d{1,5})x(\d{1,5})(?: \d{1,5}dpi)?(?: mMinSize\w{1,40}=\d{1,5})?(?: base=(\d{1,5})x(\d{1,5}))?/;
  const digits = sizes.exec(fromDefaultDisplay(dump));
  return omitUndefined({
    physical: sizeOf(digits?.[1], digits?.[2]),
    override: sizeOf(digits?.[3], digits?.[4]),
  });
}

/** Android before 4.3 has no `wm`, 4.0 no `grep` either. */
export const screen = {
  name: 'screen',
  cadence: 'boot',
  limitSeconds: 5,
  limitBytes: 384 * KIB,
  commands: ({ shellV2 }) => ({
    size: shellV2 ? 'wm size' : 'wm size||dumpsys window|grep init=||dumpsys window',
  }),
  parse: ({ size = '' }) => parseScreen(size),
  // collected again when another panel is in use: the phone was folded, or another display mode was set
  revision: ({ display }: { display?: { physical?: Size } }) =>
    display?.physical && `${display.physical.width}x${display.physical.height}`,
} as const satisfies Section<ScreenFacts, { display?: { physical?: Size } }>;
