import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { Verdict } from '../../src/status/host-status.ts';
import { readText } from '../docs/pages.ts';
import { Daemon, type Environment, hostnode, inBash } from '../support/program.ts';
import { phoneOf, poco, smartron, startHost, temporaryFolder } from '../support/program-lab.ts';

let adb: SimulatedAdbServer;
let env: Environment;

beforeEach(async () => {
  const host = await startHost(phoneOf(poco), phoneOf(smartron));
  ({ adb } = host);
  env = host.env;
});

async function running(more: Environment = {}): Promise<Daemon> {
  const daemon = new Daemon({ ...env, ...more });
  await daemon.says('status page');
  await daemon.says('round');
  return daemon;
}

const verdict = (...args: string[]) => hostnode(['verdict', ...args], env);

/** Asks until it was the lab: what just happened takes a moment to be written. */
async function untilLab(from: string): Promise<Verdict> {
  for (;;) {
    const { stdout } = await verdict(poco, '--from', from, '--json');
    const answer = JSON.parse(stdout) as Verdict;
    if (answer.verdict === 'lab') return answer;
  }
}

describe('hostnode verdict', () => {
  it('says by its exit code whether it was the lab, nothing, or not watched', async () => {
    await running();
    const from = new Date().toISOString();
    expect(await verdict(poco, '--from', from)).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout: expect.stringMatching(/^Nothing seen: .*\nPOCO F6 \(f12a8ec9\) .* all of it watched\n/),
    });
    expect(await verdict(poco, '--from', '2h')).toMatchObject({
      code: 11,
      stdout: expect.stringMatching(/^Not watched: nothing seen in \d.*the phone was not known yet\n/s),
    });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await verdict(poco, '--from', later)).stderr).toBe(
      `hostnode: --from ${later}: must be before now\n`,
    );
    expect(await verdict(poco, '--from', from, '--to', later)).toMatchObject({
      code: 11,
      stdout: expect.stringContaining('not watched: it is in the future'),
    });
    adb.unplug(poco);
    const answer = await untilLab(from);
    expect(answer).toMatchObject({
      ...{ verdict: 'lab', phone: { udid: poco, name: 'POCO F6' }, watchedRatio: 1, unwatched: [] },
      faults: [{ kind: 'lost', certainty: 'certain', title: 'adb did not list it' }],
    });
    const { code, stdout } = await verdict('poco f6', '--from', from);
    expect([code, stdout.split('\n')[0]]).toEqual([10, 'The lab’s fault']);
    expect(await verdict(smartron, '--from', from)).toMatchObject({ code: 0 });
  });

  it('tells a wrong command line, an unknown phone and a missing agent from an answer', async () => {
    expect(await verdict(poco, '--from', '2h')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hostnode: no agent answers at/),
    });
    expect(await verdict(poco, '--from', '9999w')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from: must be within 90 days before --to'),
    });
    await running();
    expect(await verdict('nobody', '--from', '2h')).toMatchObject({ code: 1, stdout: '' });
    for (const args of [
      ...[
        [],
        ['--from', 'yesterday'],
        ['--from', '1h', '--to', '2h'],
        ['--from', '2h', '--to', '2026-02-30'],
      ],
      ...[
        ['--junit', '-', '--json'],
        ['--from', '0001-01-01'],
        ['--from', '1d', '--to', '2099-01-01'],
      ],
    ])
      expect([args, await verdict(poco, ...args)]).toEqual([
        args,
        expect.objectContaining({ code: 2, stdout: '' }),
      ]);
  });

  it('marks the tests of a JUnit file that ran in a fault, and nothing else', async () => {
    await running();
    const began = Math.floor(Date.now() / 1000) * 1000;
    const from = new Date().toISOString();
    adb.unplug(poco);
    const [fault] = (await untilLab(from)).faults;
    const lostAt = fault?.at ?? 0;
    const folder = await temporaryFolder();
    const [file, link] = [join(folder, 'junit.xml'), join(folder, 'link.xml')];
    const test = (at: number, inner: string) =>
      `<testcase timestamp="${new Date(at).toISOString()}" time="0.5"${inner}`;
    const xml = (mark: string) =>
      `<testsuites>\n <testsuite>${test(began - 60_000, '/>')}${mark ? test(lostAt, '>') : test(lostAt, '/>')}${mark}\n</testsuite></testsuites>\n`;
    await writeFile(file, xml(''));
    await chmod(file, 0o640);
    await symlink(file, link);
    const { code, stderr } = await verdict(
      poco,
      '--junit',
      link,
      '--from',
      from,
      '--to',
      new Date(lostAt + 1000).toISOString(),
    );
    expect([code, stderr]).toEqual([10, expect.stringContaining('1 test marked in')]);
    const marked = await readFile(file, 'utf8');
    const [mark = ''] =
      /<properties><property name="lab" value="[^"<>&]+"\/><\/properties><\/testcase>/.exec(marked) ?? [];
    expect(mark).toMatch(/"(?:since )?\d{4}-\d\d-\d\d \d\d:\d\d.* adb did not list it.* \(\S+\)"/);
    // what is marked already stays as it is
    const again = await verdict(poco, '--junit', file, '--from', from);
    expect([again.code, again.stderr]).toEqual([10, expect.stringContaining('no test marked')]);
    expect(marked).toBe(xml(mark));
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await stat(link)).isFile()).toBe(true);
    await writeFile(file, '<!DOCTYPE x>');
    expect(await verdict(poco, '--junit', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DOCTYPE'),
    });
    await writeFile(file, '<testsuite><testcase/></testsuite>');
    expect(await verdict(poco, '--junit', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('say --from'),
    });
    const none = join(folder, 'none.xml');
    expect(await verdict(poco, '--junit', none)).toEqual({
      code: 1,
      stdout: '',
      stderr: `hostnode: ${none}: cannot be read (no such file or directory)\n`,
    });
  });
});

describe('the steps for a CI', () => {
  const page = readText('docs/verdict.md');
  const scriptIn = (from: string, end: RegExp): string => {
    const lines = page
      .slice(page.indexOf(from) + from.length)
      .split('\n')
      .slice(1);
    return lines
      .slice(
        0,
        lines.findIndex((line) => end.test(line)),
      )
      .join('\n');
  };

  it('for GitHub Actions asks the page of another host, by its password', async () => {
    const password = join(await temporaryFolder(), 'password');
    await writeFile(password, 'pässword "1"\n', { mode: 0o600 });
    const daemon = await running({ HOSTNODE_STATUS_PASSWORD_FILE: password });
    const [{ url } = { url: '' }] = daemon.logged('status page');
    const script = scriptIn('run: |', /^```$/);
    const from = Date.now();
    const step = async (changes: Environment = {}) => {
      const { code, stdout } = await inBash(`sh -ec "$(printf '%s\\n' "$SCRIPT")"`, [], {
        ...{ SCRIPT: script, PATH: process.env.PATH ?? '', LAB: String(url).replace(/\/$/, ''), PHONE: poco },
        ...{ LAB_PASSWORD: 'pässword "1"', TEST_BEGAN: String(from), ...changes },
      });
      return [code, stdout.trim().split('\n').at(-1)];
    };
    expect(await step()).toEqual([0, '::notice::Nothing seen of the lab: look at the test']);
    expect(await step({ TEST_BEGAN: String(from - 3_600_000) })).toEqual([
      0,
      expect.stringContaining('::Not watched'),
    ]);
    expect(await step({ LAB_PASSWORD: 'wrong' })).toEqual([0, '::warning::No verdict']);
    adb.unplug(poco);
    await untilLab(new Date(from).toISOString());
    expect(await step()).toEqual([0, '::error::The lab was at fault: run the test again']);
  });

  it('for Jenkins asks over ssh, and has the tests marked', async () => {
    await running();
    const from = new Date().toISOString();
    adb.unplug(poco);
    await untilLab(from);
    const folder = await temporaryFolder();
    // the other host is this one; like ssh it gives its words to a shell there
    const programs = {
      ssh: 'shift\nexec sh -c "$*"',
      hostnode: `exec "${process.execPath}" "$HOSTNODE_PROGRAM" "$@"`,
    };
    for (const [name, lines] of Object.entries(programs))
      await writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    const script = scriptIn("sh '''", /^ *'''$/);
    const run = async (xml: string) => {
      const line =
        'export HOSTNODE_PROGRAM="$2"; cd "$FOLDER"; mkdir -p build; printf %s "$XML" >build/junit.xml; PATH="$FOLDER:$PATH"; sh -ec "$SCRIPT"';
      const { code, stdout } = await inBash(line, [], {
        ...{ ...env, FOLDER: folder, SCRIPT: script, XML: xml, PATH: process.env.PATH ?? '' },
        ...{ LAB_HOST: 'lab-07', PHONE: poco, TEST_BEGAN: from },
      });
      return { code, stdout, xml: await readFile(join(folder, 'build/junit-lab.xml'), 'utf8') };
    };
    const time = new Date().toISOString().replace('Z', '');
    const found = await run(`<testsuite timestamp="${time}"><testcase time="1"/></testsuite>`);
    expect(found).toMatchObject({ code: 0, stdout: 'The lab was at fault: run the test again\n' });
    expect(found.xml).toMatch(
      /<testcase time="1"><properties><property name="lab" value="[^"]+"\/><\/properties><\/testcase>/,
    );
    expect(await run('no XML')).toMatchObject({ code: 0, xml: 'no XML' });
  });
});
