import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { browserName } from '../../src/facts/browser-names.ts';
import { browsers, parseBrowsers } from '../../src/facts/browsers.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const phones = samples('packages');
const sample = (part: string) => phones.find(({ file }) => file.includes(part))?.text ?? '';
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/browsers/${name}.txt`, import.meta.url), 'utf8');
const aosp = fixture('aosp-extended-android-10');
const oppo = fixture('oppo-coloros-resolve-activity');

/** Samples that hold activities. The others are answers to questions that we do not ask. */
const expectedNames: Record<string, string[]> = {
  'packages/chrome-query-activities-fixture.txt': ['chrome'],
  'packages/resolve-brief-androidbrowser.txt': ['android'],
  // dumps of one package: it has a table, in which nothing is a browser
  'packages/madb-dumpsys-package-lufthansa-bom.txt': [],
  'packages/mvt-samsung-dumpsys-package-excerpt.txt': [],
  'packages/uber-dumpsys-package-emu-android18.txt': [],
  'packages/uber-dumpsys-package-emu-android23.txt': [],
  'packages/uber-dumpsys-package-moto-g1.txt': [],
  'packages/uber-dumpsys-package-nexus6p.txt': [],
};

const activity = (number: number, match: string, component: string) =>
  `  Activity #${number}:\n    priority=0 preferredOrder=0 match=0x${match} specificIndex=-1 isDefault=true\n    ${component}\n`;

const brief = [
  '6 activities found:\n',
  activity(0, '208000', 'com.android.chrome/com.google.android.apps.chrome.IntentDispatcher'),
  activity(1, '208000', 'org.mozilla.firefox/.App'),
  activity(2, '308000', 'com.example.downloads/.AnyHost'),
  activity(3, '508000', 'com.example.shop/.Links'),
  activity(4, '208000', 'org.example.unheard/.Browser'),
  activity(5, '208000', 'com.google.android.tv.frameworkpackagestubs/.Stubs$BrowserStub'),
].join('');

const filter = (component: string, ...parts: string[]) =>
  [`        9de5207 ${component} filter 18d43d`, ...parts.map((part) => `          ${part}`), ''].join('\n');
const view = ['Action: "android.intent.action.VIEW"', 'Category: "android.intent.category.DEFAULT"'];
const browsable = [...view, 'Category: "android.intent.category.BROWSABLE"'];

const table = [
  'Activity Resolver Table:\n  Full MIME Types:\n      text/html:\n',
  filter('com.example.viewer/.Html', ...browsable, 'Scheme: "http"', 'Type: "text/html"'),
  '\n  Schemes:\n      http:\n',
  filter(
    'com.android.chrome/com.google.android.apps.chrome.Main',
    ...browsable,
    'Scheme: "http"',
    'Scheme: "https"',
  ),
  filter('com.android.browser/.BrowserActivity', ...browsable, 'Scheme: "http"', 'Scheme: "about"'),
  filter('com.example.shop/.Links', ...browsable, 'Scheme: "http"', 'Authority: "shop.example.com": -1'),
  filter('com.example.inside/.NotForOthers', ...view, 'Scheme: "http"'),
  '      geo:\n',
  filter('com.example.maps/.Maps', ...browsable, 'Scheme: "geo"'),
  '\n  Non-Data Actions:\n      android.intent.action.MAIN:\n',
  filter(
    'org.mozilla.firefox/.App',
    'Action: "android.intent.action.MAIN"',
    'Category: "android.intent.category.APP_BROWSER"',
  ),
  filter(
    'com.example.maps/.Maps',
    'Action: "android.intent.action.MAIN"',
    'Category: "android.intent.category.LAUNCHER"',
  ),
  '\nReceiver Resolver Table:\n  Non-Data Actions:\n',
].join('');

const made = phones.filter(({ file }) => file.startsWith('packages/made-'));
const others = phones.filter((phone) => !made.includes(phone));

describe('parseBrowsers', () => {
  it.each(others.filter(({ file }) => expectedNames[file]))('reads $file', ({ file, text }) => {
    expectFacts(file, parseBrowsers(text), { names: expectedNames[file] });
  });

  it.each(made)(
    'tells browsers from viewers of files and of one site in $file',
    ({ file, text, expected }) => {
      expectFacts(file, parseBrowsers(text), expected);
    },
  );

  const viewer = (...parts: string[]) =>
    `Activity Resolver Table:\n  Schemes:\n      http:\n${filter('org.xcontest.XCTrack/.Viewer', ...browsable, 'Scheme: "http"', 'Scheme: "https"', ...parts)}`;

  it.each([
    ['any host and a type', ['Authority: "": -1 WILD', 'StaticType: "application/xctsk"'], false],
    ['any host', ['Authority: "": -1 WILD'], false],
    ['a type', ['StaticType: "application/xctsk"'], false],
    ['a type, as before Android 11', ['Type: "application/xctsk"'], false],
    ['a group of types', ['MimeGroup: "org.xcontest.types"'], false],
    ['a scheme-specific part', ['Ssp: "PatternMatcher{PREFIX: //x}"'], false],
    ['a host and a path', ['Authority: "xcontest.org": -1', 'Path: "PatternMatcher{GLOB: .*}"'], false],
    ['a path, which nothing looks at without a host', ['Path: "PatternMatcher{GLOB: .*}"'], true],
    ['nothing', [], true],
  ])('takes a filter for http links with %s for a browser: %j', (_, parts, isBrowser) => {
    expect(parseBrowsers(viewer(...parts)).names).toEqual(isBrowser ? ['org.xcontest.XCTrack'] : []);
  });

  it.each([
    'com.android.tv.frameworkpackagestubs/.Stubs$BrowserStub',
    'com.google.android.tv.frameworkpackagestubs/.Stubs$BrowserStub',
    'com.amazon.tv.intentsupport/.TvIntentSupporter',
  ])('finds no browser in what a TV has in its place: %s', (component) => {
    const text = (...components: string[]) =>
      `${components.length} activities found:\n${components.map((each, at) => activity(at, '208000', each)).join('')}`;
    expect(parseBrowsers(text(component))).toEqual({ names: [] });
    expect(parseBrowsers(text(component, 'com.amazon.cloud9/.browsing.BrowserActivity'))).toEqual({
      names: ['silk'],
    });
  });

  it.each([
    ['app.vanadium.browser', 'vanadium'],
    ['com.heytap.browser', 'oppo'],
    ['com.hihonor.baidu.browser', 'honor'],
    ['com.nearme.browser', 'oppo'],
    ['com.talpa.hibrowser', 'hi'],
  ])('calls the browser that a phone comes with, %s, by the name %s', (packageName, name) => {
    const text = `1 activities found:\n${activity(0, '208000', `${packageName}/com.android.browser.Main`)}`;
    expect(parseBrowsers(text)).toEqual({ names: [name] });
  });

  it('does not take for a browser what somebody once chose for a link', () => {
    const [heading = '', ...parts] = viewer().split('        9de5207 ');
    const chosen = parts.join('').replace(/ filter 18d43d\n/, '\n         mMatch=0x200000 mAlways=true\n');
    expect(parseBrowsers(`${table}Preferred Activities User 0:\n        9de5207 ${chosen}`)).toEqual(
      parseBrowsers(table),
    );
    expect(heading).toContain('http:');
  });

  it('takes only a known browser where the text breaks off within the filter', () => {
    const chrome = (text: string) => text.replace('org.xcontest.XCTrack', 'com.android.chrome');
    for (const end of ['--\n', '\n'.repeat(60_000)]) {
      expect(parseBrowsers(viewer() + end)).toEqual({ names: [] });
      expect(parseBrowsers(chrome(viewer()) + end)).toEqual({ names: ['chrome'] });
    }
  });

  it('knows the package that the author of a sample expects', () => {
    const [expected] = phones.flatMap(({ expected }) => expected?.browsers ?? []);
    expect([browserName(expected)]).toEqual(expectedNames['packages/chrome-query-activities-fixture.txt']);
  });

  it.each(others.filter(({ file }) => !expectedNames[file]))('finds no activities in $file', ({ text }) => {
    expect(() => parseBrowsers(text)).toThrow(ParseError);
  });

  it('reads the full description of an activity on Android 10', () => {
    expect(parseBrowsers(aosp)).toEqual({ names: ['via'] });
  });

  it('reads the default browser of an OPPO phone, whose activity is named for another package', () => {
    expect(parseBrowsers(oppo)).toEqual({ names: ['oppo'] });
  });

  it('reads names of activities alone, without the system’s own question', () => {
    const text =
      'com.android.chrome/com.google.android.apps.chrome.IntentDispatcher\r\norg.example.unheard/.Browser$Main\r\nandroid/com.android.internal.app.ResolverActivity\r\n';
    expect(parseBrowsers(text)).toEqual({ names: ['chrome', 'org.example.unheard'] });
  });

  it('leaves out apps that match by a host, and the stand-in of a television', () => {
    expect(parseBrowsers(brief)).toEqual({ names: ['chrome', 'firefox', 'org.example.unheard'] });
  });

  it('reads the default browser and the others that are browser apps, each once', () => {
    const text = `1 activities found:\r\n${activity(0, '208000', 'com.android.chrome/.Main')}2 activities found:\r\n${activity(0, '108000', 'com.android.chrome/.Main')}${activity(1, '108000', 'com.sec.android.app.sbrowser/.SBrowserMainActivity')}`;
    expect(parseBrowsers(text)).toEqual({ names: ['chrome', 'samsung'] });
  });

  it.each(['lock=file\n', 'lock=1block\n', 'lock=trigger_restart_min_frameworkblock\n'])(
    'does not take the empty list of a phone that is locked since its boot for a reading: %j',
    (lock) => {
      const none = 'No activities found\nNo activities found\n';
      expect(() => parseBrowsers(lock + none)).toThrow(ParseError);
      expect(parseBrowsers(`lock=filetrue\n${none}`)).toEqual({ names: [] });
      expect(parseBrowsers(`lock=trigger_restart_frameworkblocktrue\n${none}`)).toEqual({ names: [] });
      expect(parseBrowsers(lock + brief).names).toContain('chrome');
    },
  );

  it.each(['No activities found\n', 'No activity found\n'])(
    'knows that a phone has no browser: %j',
    (text) => {
      expect(parseBrowsers(text)).toEqual({ names: [] });
    },
  );

  it('reads the filters of Android 4 to 6, without the disabled apps', () => {
    expect(parseBrowsers(table)).toEqual({ names: ['android', 'chrome', 'firefox'] });
    expect(parseBrowsers(`package:com.android.browser\n${table}`)).toEqual({ names: ['chrome', 'firefox'] });
  });

  it('takes known browsers alone from a table without filters', () => {
    const text = table.replaceAll(/^ {10}.*\n/gm, '').replaceAll(/ filter \w+$/gm, ' (2 filters)');
    expect(parseBrowsers(text)).toEqual({ names: ['android', 'chrome'] });
  });

  it('does not read what grep cut off as a part of the filter before it', () => {
    const text = `${filter('com.example.shop/.Links', ...view)}--\n          Category: "android.intent.category.BROWSABLE"\n          Scheme: "http"\n`;
    expect(parseBrowsers(text)).toEqual({ names: [] });
  });

  it.each([
    "cmd: Can't find service: package",
    'Error: Could not access the Package Manager.  Is the system running?',
    'package:com.android.browser\n',
    'com.android.chrome/.Main\nError: java.lang.NullPointerException',
    'Permission Denial: can not dump PackageManager',
    '',
  ])('throws ParseError that names the command for %j', (text) => {
    expect(() => parseBrowsers(text)).toThrow(/^cannot read cmd package query-activities: /);
  });

  const texts = [...phones.map(({ text }) => text), aosp, oppo, brief, table];

  it('answers whatever befalls the text with facts or a ParseError', () => {
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseBrowsers, text)));
  });

  it.each([
    brief,
    table,
    sample('mvt'),
    sample('gwm'),
    ' ',
    '\n',
    'a.',
    'a.b/',
    '1a2b3c com.a/',
    ' match=0x',
  ])('comes to an end where it is huge (%#)', (text) => expectOnlyParseErrors(parseBrowsers, huge(text)));
});

describe.skipIf(!hasPhoneShell)('the command for browsers', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hostnode-calls-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /**
   * A phone's package commands, answering as the Android of this API level does, each call noted; while it is locked
   * since its boot, without browsers unless the flags ask for what does not run then.
   */
  function ask(sdk: number, isLocked = false, dump = table): { text: string; calls: string[] } {
    const note = (name: string) => `echo "${name} $*" >>${folder}/calls`;
    const query = `case "$*" in
      ${isLocked ? '*"--brief -a"*' : 'unlocked'}) echo 'No activities found';;
      *--query-flags*) ${sdk >= 29 ? `echo '${brief}'` : 'echo "Unknown option: --query-flags" >&2; exit 255'};;
      *APP_BROWSER*) echo '${activity(0, '108000', 'org.mozilla.firefox/.App')}';;
      *) echo '${activity(0, '208000', 'com.android.chrome/.Main')}';;
    esac`;
    const { apps } = browsers.commands({
      shellV2: sdk >= 24,
      reachabilityOnMetered: false,
      telephonyIdentifiers: true,
    });
    const text = askPhone(apps, {
      grep: 'toybox',
      getprop: `case $1 in ro.crypto.type) echo file;; *.ce_available) echo ${isLocked ? '' : 'true'};; esac`,
      ...(sdk >= 24 && { cmd: `${note('cmd')}\n${query}` }),
      pm: `${note('pm')}\necho package:com.android.browser`,
      dumpsys: `${note('dumpsys')}\nprint -r -- '${dump}'`,
    });
    return { text, calls: readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') };
  }

  const http = '-a android.intent.action.VIEW -c android.intent.category.BROWSABLE -d http://example.com';

  it.each([16, 19, 23])('reads the filters on API %i', (sdk) => {
    const { text, calls } = ask(sdk);
    expect(calls).toEqual(['pm list packages -d', 'dumpsys package -f r']);
    expect(parseBrowsers(text)).toEqual({ names: ['chrome', 'firefox'] });
    expect(text).not.toContain('geo');
  });

  it.each(made.filter(({ command, android }) => command === 'dumpsys package -f r' && Number(android) < 7))(
    'reads the same browsers from the lines that the phone brings of $file',
    ({ text, expected }) => {
      const brought = ask(23, false, text.replaceAll('\r', '')).text.replace(/^package:.*\n/m, '');
      expect(brought.length).toBeLessThan(text.length / 2);
      expect(parseBrowsers(brought)).toEqual(expected);
    },
  );

  it.each([26, 28])('asks for the default browser and for browser apps on API %i', (sdk) => {
    const { text, calls } = ask(sdk);
    expect(calls).toEqual([
      `cmd package query-activities --brief --query-flags 917504 ${http}`,
      `cmd package query-activities --brief ${http}`,
      'cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.APP_BROWSER',
    ]);
    expect(parseBrowsers(text)).toEqual({ names: ['chrome', 'firefox'] });
  });

  it.each([29, 33, 36])('asks once for all on API %i', (sdk) => {
    const { text, calls } = ask(sdk);
    expect(calls).toEqual([`cmd package query-activities --brief --query-flags 917504 ${http}`]);
    expect(parseBrowsers(text)).toEqual({ names: ['chrome', 'firefox', 'org.example.unheard'] });
  });

  it('learns the browsers of a locked phone since API 29, and before not that it had none', () => {
    expect(parseBrowsers(ask(29, true).text)).toEqual({
      names: ['chrome', 'firefox', 'org.example.unheard'],
    });
    expect(() => parseBrowsers(ask(28, true).text)).toThrow('the browsers of a locked phone');
  });
});
