/**
 * The current display: the panel in use, its rotation, and its size for apps.
 *
 * Source: AOSP LogicalDisplay.java, dumpLocked(), and DisplayInfo.java, toString() (Android 4.2 on): under
 * `Display N:` one line `mBaseDisplayInfo=DisplayInfo{…}` (the panel, natural orientation) and one line
 * `mOverrideDisplayInfo=DisplayInfo{…}` (what the window manager made of it, already turned, or `null`).
 * Of each, `real W x H`, `, rotation N` (Display.getRotation(), quarter turns), `state` and `type` count.
 * Viewports and touch screens include how the panel is mounted, so their orientation is not the display's.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { fromDefaultDisplay, parseWindowSizes, type ScreenFacts, type Size, sizeOf } from './screen.ts';
import { KIB, type Section } from './section.ts';

export type RotationDegrees = 0 | 90 | 180 | 270;

/** The current default display, from `dumpsys display` (older phones: `dumpsys window`). */
export interface DisplayFacts {
  rotationDegrees?: RotationDegrees;
  /** The panel in use, natural orientation. */
  physical?: Size;
  /** The size for apps, in the natural orientation. */
  logical?: Size;
}

interface DisplayInfo {
  size?: Size;
  rotationDegrees?: RotationDegrees;
  state?: string;
  type?: string;
  /** It shows its own content besides the main display: a screen on the back, a car's cluster. */
  isApart?: boolean;
}

interface LogicalDisplay {
  base?: DisplayInfo;
  override?: DisplayInfo;
}

/**
 * Parses `dumpsys display`, whole or only its `Display N:` and `DisplayInfo=` lines, and the dumps that replace it
 * before Android 4.2.
 *
 * @throws {ParseError} when it describes no display (e.g. "Can't find service: display")
 */
export function parseDisplay(dump: string): DisplayFacts {
  const inUse = displayInUse(logicalDisplays(dump));
  const facts = inUse ? describe(inUse) : parseOlderDump(dump);
  if (Object.keys(facts).length === 0) throw new ParseError('dumpsys display', dump);
  return facts;
}

/** All logical displays by id. A display's own `displayId` (Android 10 on) wins over the heading. */
function logicalDisplays(dump: string): Map<number, LogicalDisplay> {
  const displays = new Map<number, LogicalDisplay>();
  let heading = 0;
  const lines = /^[ \t]*(?:Display (\d{1,9}):[ \t\r]*$|m(Base|Override)DisplayInfo=DisplayInfo\{([^\n]*))/gm;
  for (const [, id, kind, info = ''] of dump.matchAll(lines)) {
    if (id !== undefined) {
      heading = Number(id);
      continue;
    }
    const own = Number(/\bdisplayId (\d{1,9})/.exec(info)?.[1] ?? heading);
    const display = displays.get(own) ?? {};
    if (kind === 'Base') display.base ??= parseDisplayInfo(info);
    else display.override ??= parseDisplayInfo(info);
    displays.set(own, display);
  }
  return displays;
}

/** @param info the text within `DisplayInfo{…}`; it begins with the display's name in quotes */
function parseDisplayInfo(info: string): DisplayInfo {
  const text = info.replace(/^"[^"]*"/, '');
  const real = /\breal (\d{1,5}) x (\d{1,5})/.exec(text);
  return omitUndefined({
    size: sizeOf(real?.[1], real?.[2]),
    rotationDegrees: rotationOf(/, rotation ?([0-3])\b/.exec(text)?.[1]),
    state: /, state ([A-Z_]+)/.exec(text)?.[1],
    type: /, type ([A-Z_]+)/.exec(text)?.[1],
    isApart: /\bFLAG_(?:OWN_DISPLAY_GROUP|REAR)/.test(text) || undefined,
  });
}

/**
 * Display 0, unless a foldable has switched its panel off and another one on. (Such phones have one logical display per
 * panel; the others move display 0 between panels.) A panel with its own display group is a separate screen, not the
 * other side of this one (AOSP Display.java, FLAG_OWN_DISPLAY_GROUP; since Android 12).
 */
function displayInUse(displays: Map<number, LogicalDisplay>): LogicalDisplay | undefined {
  const main = displays.get(0);
  if (main?.base?.state !== 'OFF') return main;
  const lit = displays.values().find(({ base }) => isBuiltIn(base) && isLit(base) && !base?.isApart);
  return lit ?? main;
}

const isBuiltIn = (info?: DisplayInfo) => info?.type === 'INTERNAL' || info?.type === 'BUILT_IN';
const isLit = (info?: DisplayInfo) => info?.state === 'ON' || info?.state?.startsWith('DOZE') === true;

function describe({ base, override }: LogicalDisplay): DisplayFacts {
  const now = override?.size ? override : base;
  return omitUndefined({
    rotationDegrees: override?.rotationDegrees ?? base?.rotationDegrees,
    physical: turnedBack(base?.size, base?.rotationDegrees),
    logical: turnedBack(now?.size, now?.rotationDegrees),
  });
}

/**
 * `dumpsys window` before Android 4.2: WindowManagerService.java prints `mRotation=N` (Display.getRotation()) and the
 * sizes, on 2.3 as `DisplayWidth=… DisplayHeight=…`, already turned. Last resort: the touch screen's
 * `SurfaceOrientation: N`, part of this dump on 2.3, of `dumpsys input` up to Android 12.
 */
function parseOlderDump(dump: string): DisplayFacts {
  const rotationDegrees = rotationOf(
    (/^[ \t]*mRotation=([0-3])\b/m.exec(fromDefaultDisplay(dump)) ??
      /^[ \t]*SurfaceOrientation: ?([0-3])[ \t\r]*$/m.exec(dump))?.[1],
  );
  const { physical, override } = parseWindowSizes(dump);
  const current = /\bDisplayWidth=(\d{1,5}) DisplayHeight=(\d{1,5})/.exec(dump);
  const size = physical ?? turnedBack(sizeOf(current?.[1], current?.[2]), rotationDegrees);
  return omitUndefined({ rotationDegrees, physical: size, logical: override ?? size });
}

const DEGREES = [0, 90, 180, 270] as const;
const rotationOf = (quarterTurns: string | undefined): RotationDegrees | undefined =>
  quarterTurns === undefined ? undefined : DEGREES[Number(quarterTurns)];

function turnedBack(size: Size | undefined, rotationDegrees: RotationDegrees = 0): Size | undefined {
  return size && rotationDegrees % 180 === 90 ? { width: size.height, height: size.width } : size;
}

/**
 * Combines the two sources. The display's dump is from this round, and shows the panel that is on. `wm size` is
 * collected once per boot, and fills the gaps of the dump.
 *
 * @returns physical: the panel in use; logical: the override or current logical size; both in natural orientation
 */
export function resolveDisplay(screen: ScreenFacts = {}, display: DisplayFacts = {}): DisplayFacts {
  const physical = display.physical ?? screen.physical;
  const logical = display.logical ?? screen.override ?? physical;
  return omitUndefined({ physical, logical, rotationDegrees: display.rotationDegrees });
}

/** The whole dump is 50 to 500 KB on a new phone. Android before 4.2 has no display service, 4.0 no `grep` either. */
const DISPLAY = 'dumpsys display|grep -E "Display [0-9]+:|DisplayInfo="';

export const display = {
  name: 'display',
  cadence: 'round',
  limitSeconds: 5,
  limitBytes: 384 * KIB,
  commands: ({ shellV2 }) => ({
    dump: shellV2 ? DISPLAY : `${DISPLAY}||dumpsys window|grep -E "init=|mRotation="||dumpsys window`,
  }),
  parse: ({ dump = '' }) => parseDisplay(dump),
} as const satisfies Section<DisplayFacts>;
