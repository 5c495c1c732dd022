/**
 * The browsers of a phone: apps that open any http link, not only links of their own site.
 *
 * Android 7.0 on answers a query. It leaves disabled apps out, and without MATCH_ALL (an option since Android 10)
 * all but the default browser, once one is set: hence the query for APP_BROWSER beside it. Its answer says how each
 * app matched: `match=0x2…` by the scheme alone, `0x1…` an intent without an address, from `0x3…` on by a pattern of
 * hosts or paths, which Android does not count among the browsers (ResolveInfo.handleAllWebDataURI). Before 7.0 the
 * filters themselves are read from `dumpsys package`, where disabled apps stay listed (`pm list packages -d`).
 *
 * While the phone is locked after boot, Android finds only apps that run in that state, no browsers, unless the flags
 * request all. Without that option we discard an empty list of a locked phone.
 *
 * Source: AOSP PackageManagerShellCommand.java, printResolveInfo(); PackageManagerService.java, updateFlags();
 * IntentFilter.java, match constants.
 */
import { ParseError } from '../base/errors.ts';
import type { BootFacts } from './boot.ts';
import { browserName, isKnownBrowser } from './browser-names.ts';
import { LONGEST } from './phone-text.ts';
import { browsersInResolverTable } from './resolver-table.ts';
import { KIB, type Section } from './section.ts';

export interface BrowsersFacts {
  /**
   * Stable lower-case names, sorted, each once, 100 at most: chrome, firefox, …; the package name for one we don't
   * know.
   */
  names: string[];
}

/**
 * Parses `query-activities` (brief, full or components), or `dumpsys package -f r`, whole or filtered, with lines
 * `package:NAME` of disabled apps.
 *
 * @throws {ParseError} when it is none of these (e.g. "cmd: Can't find service: package"), or empty on a locked phone
 */
export function parseBrowsers(text: string): BrowsersFacts {
  const lines = text.split('\n', MAX_LINES);
  const queried = queriedPackages(lines) ?? componentsAlone(lines);
  const listed = browsersInResolverTable(lines, lines.length === MAX_LINES);
  if (!queried && !listed) throw new ParseError('cmd package query-activities', text);
  const disabled = new Set(lines.flatMap((line) => /^package:([\w.]+)/.exec(line)?.[1] ?? []));
  const packages = [...(queried ?? []), ...(listed ?? [])];
  if (packages.length === 0 && LOCKED.test(text))
    throw new ParseError('the browsers of a locked phone', text);
  const inUse = packages.filter(
    (name) => !disabled.has(name) && !STAND_IN.test(name) && name.length <= LONGEST.packageName,
  );
  // known browsers first, in case a phone lists more than the limit
  const names = [...new Set([...inUse.filter(isKnownBrowser), ...inUse].map(browserName))];
  return { names: names.slice(0, MOST_BROWSERS).sort() };
}

/** More than any phone has; we drop the rest. */
const MOST_BROWSERS = 100;

/** Lines that we parse: the resolver table comes first, and is far shorter on any phone. */
const MAX_LINES = 60_000;

/**
 * TVs, watches and cars without a browser have an activity that accepts links and does nothing, or says that there is no
 * browser (Fire TV); `android` itself is the dialog that asks which app to use.
 */
const STAND_IN = /^android$|frameworkpackagestubs$|^com\.amazon\.tv\.intentsupport$/;

/**
 * `lock=`, then vold.decrypt, ro.crypto.type and sys.user.0.ce_available: no PIN was entered since the boot, see
 * boot.ts.
 */
const LOCKED = /^lock=(?:1|trigger_restart_min_framework|file[ \t\r]*$)/m;

const COMPONENT = /^\s{0,16}([\w.]+)\/[\w.$]+\s{0,4}$/;

const MATCH_EMPTY = '1';
const MATCH_SCHEME = '2';

/**
 * A query prints `N activities found:`, then of each activity a line with `match=`, and its name or its details.
 *
 * @returns undefined when there is no such answer
 */
function queriedPackages(lines: string[]): Set<string> | undefined {
  let isAnswered = false;
  let isBrowser = false;
  const packages = new Set<string>();
  for (const line of lines) {
    if (/^\s{0,8}(?:\d{1,9} activities found:|No activit(?:y|ies) found)/.test(line)) isAnswered = true;
    const match = / match=0x([0-9a-f]{1,8}) /.exec(line)?.[1];
    if (match !== undefined) {
      isAnswered = true;
      isBrowser = match.length === 6 && (match[0] === MATCH_EMPTY || match[0] === MATCH_SCHEME);
      continue;
    }
    const packageName = (COMPONENT.exec(line) ?? /^\s{0,16}packageName=([\w.]+)\s{0,4}$/.exec(line))?.[1];
    if (packageName !== undefined && (isBrowser || isKnownBrowser(packageName))) packages.add(packageName);
  }
  return isAnswered ? packages : undefined;
}

/** `--components` prints only lines `package/activity`. It does not show how they matched, so all count. */
function componentsAlone(lines: string[]): Set<string> | undefined {
  const printed = lines.filter((line) => line.trim() !== '');
  const packages = printed.flatMap((line) => COMPONENT.exec(line)?.[1] ?? []);
  return printed.length > 0 && packages.length === printed.length ? new Set(packages) : undefined;
}

/** 917504 is PackageManager.MATCH_ALL | MATCH_DIRECT_BOOT_UNAWARE | MATCH_DIRECT_BOOT_AWARE. */
const QUERY = [
  'i=android.intent',
  'q="cmd package query-activities --brief"',
  'v="-a $i.action.VIEW -c $i.category.BROWSABLE -d http://example.com"',
  '$q --query-flags 917504 $v 2>/dev/null||{ g=getprop',
  'echo lock=$($g vold.decrypt)$($g ro.crypto.type)$($g sys.user.0.ce_available)',
  '$q $v&&$q -a $i.action.MAIN -c $i.category.APP_BROWSER;}',
].join(';');

/**
 * From a table of half a megabyte, prints the relevant lines of the filters for http and for browsers. grep prints `--`
 * between separate pieces. A player names up to twenty schemes before its types.
 */
const TABLE = [
  'pm list packages -d;dumpsys package -f r',
  'grep -E -B9 -A29 "Scheme: .http.$|APP_BROWSER"',
  'grep -E "^--| filter |http.$|BROWS|Auth|Ssp:|Type:"',
].join('|');

export const browsers = {
  name: 'browsers',
  cadence: { everySeconds: 600 },
  limitSeconds: 10,
  limitBytes: 256 * KIB,
  commands: ({ shellV2 }) => ({ apps: shellV2 ? QUERY : `${QUERY}||{ ${TABLE};}` }),
  parse: ({ apps = '' }) => parseBrowsers(apps),
  // collected again when the phone is unlocked
  revision: ({ boot }: { boot?: BootFacts }) =>
    boot?.bootCompleted === undefined ? undefined : String(boot.dataLocked),
} as const satisfies Section<BrowsersFacts, { boot?: BootFacts }>;
