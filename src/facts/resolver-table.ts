/**
 * Browsers by their intent filters, from the resolver table of `dumpsys package` (Android 4.1 to 6.0; whole dumps of any).
 *
 * A browser's filter opens every http link. One that names an authority opens only the links of that host: Android counts no
 * such filter as a browser's, not even with the host `*` (`Authority: "": -1 WILD`). One that names a type opens only
 * files of that type. `Path:` narrows nothing by itself: Android looks at paths below an authority only.
 *
 * Source: AOSP IntentResolver.java, dump(); IntentFilter.java, dump(): one line `Scheme: "http"`,
 * `Authority: "example.com": -1`, … for each part of a filter, and matchData(), handleAllWebDataURI(). Android 11 on
 * prints `StaticType:` for what was `Type:`, and `MimeGroup:`.
 */
import { isKnownBrowser } from './browser-names.ts';

/** `1a2b3c com.example/.Activity filter 4d5e6f`; Android 5 and 6 leave the end out, or count: `(2 filters)`. */
const FILTER =
  /^\s{0,16}[0-9a-f]{1,16} ([\w.]+)\/\S{1,300}(?: filter [0-9a-f]{1,16}| \(\d+ filters\))?\s{0,4}$/;

/** What is known of a filter before its lines. */
const BLANK = {
  packageName: '',
  /** The dump has the lines of `-f`. */
  isDescribed: false,
  opensHttp: false,
  isBrowsable: false,
  /** It opens links of some hosts only, or files of some types. */
  isNarrow: false,
  /** MAIN with the category APP_BROWSER. */
  isBrowserApp: false,
  /** The text breaks off within it: what would make it narrow may be missing. */
  isCut: false,
};
type Filter = typeof BLANK;

const PART = /^\s{0,20}(?:Action|Category|Scheme|Ssp|Authority|\w{0,12}Type|MimeGroup): /;
const NARROW_PART = /^\s{0,20}(?:Ssp|Authority|\w{0,12}Type|MimeGroup): /;

/**
 * The table lists each filter under its scheme, type or action; with `-f`, lines such as `Scheme: "http"` follow. A
 * dump without them shows apps that open some http links: then only known browsers count. So it is with a filter in
 * which the text breaks off.
 *
 * @param isCut the last line is not the text's last
 * @returns the packages of the browsers; undefined if there is no filter
 */
export function browsersInResolverTable(lines: string[], isCut: boolean): Set<string> | undefined {
  const filters: Filter[] = [];
  const handlers = new Set<string>();
  let filter: Filter | undefined;
  let key = '';
  for (const line of lines) {
    const packageName = FILTER.exec(line)?.[1];
    if (packageName !== undefined) {
      filter = { ...BLANK, packageName };
      filters.push(filter);
      if (key === 'http') handlers.add(packageName);
    } else if (filter && PART.test(line)) {
      note(filter, line);
    } else if (filter && /^\s{0,16}mMatch=/.test(line)) {
      // a preferred activity: what somebody once chose, the app may be gone
      filters.pop();
      filter = undefined;
    } else if (filter && line.startsWith('--')) {
      filter.isCut = true;
      filter = undefined;
    } else {
      key = /^ {4,8}([\w.+-]{1,100}):\s{0,4}$/.exec(line)?.[1] ?? (/^\S/.test(line) ? '' : key);
    }
  }
  if (filters.length === 0) return undefined;
  if (filter && isCut) filter.isCut = true;
  const described = new Set(filters.filter((one) => one.isDescribed).map((one) => one.packageName));
  const undescribed = [...handlers].filter((name) => !described.has(name) && isKnownBrowser(name));
  return new Set([...filters.filter(isBrowserFilter).map((one) => one.packageName), ...undescribed]);
}

function note(filter: Filter, line: string): void {
  filter.isDescribed = true;
  filter.opensHttp ||= line.includes('Scheme: "http"');
  filter.isBrowsable ||= line.includes('"android.intent.category.BROWSABLE"');
  filter.isBrowserApp ||= line.includes('"android.intent.category.APP_BROWSER"');
  filter.isNarrow ||= NARROW_PART.test(line);
}

const isBrowserFilter = (filter: Filter): boolean =>
  filter.isBrowserApp ||
  (filter.opensHttp &&
    filter.isBrowsable &&
    !filter.isNarrow &&
    (!filter.isCut || isKnownBrowser(filter.packageName)));
