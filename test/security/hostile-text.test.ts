import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anyHost } from '../../src/base/environment.ts';
import { safeIdentifier } from '../../src/base/printable.ts';
import { DevicesBody } from '../../src/cloud/contract/report.ts';
import { statusLine } from '../../src/daemon/status-line.ts';
import type { HostStatus } from '../../src/status/host-status.ts';
import { problemsAsMarkdown } from '../../src/status/page/markdown.ts';
import { chromiumPath, describeWithChromium } from '../support/describe-with.ts';
import { samplesOf } from '../support/exposition.ts';
import { Daemon, type Environment, hostnode, Program, programFile } from '../support/program.ts';
import { bodyOf, startAdb, startCloud, temporaryFolder, toAdb, toCloud } from '../support/program-lab.ts';
import { describeWithPromtool, promtool } from '../support/promtool.ts';
import { attack, hostilePhones, unsafe } from './hostile-phone.ts';

/** A host with hostile phones, and a cloud that refuses them in their own words. */
async function hostileHost() {
  const phones = hostilePhones();
  const adb = await startAdb(...phones);
  const cloud = await startCloud();
  const env: Environment = { ...toAdb(adb.port, await temporaryFolder()), ...toCloud(cloud) };
  for (const { serial } of phones) cloud.refuse(safeIdentifier(serial), attack);
  return { adb, cloud, env, phones };
}

/** The same with an agent after its first round, and where its page is. */
async function hostileAgent(more: Environment = {}) {
  const host = await hostileHost();
  const daemon = new Daemon({ ...host.env, HOSTNODE_LOG_LEVEL: 'trace', ...more });
  const { url } = await daemon.says('status page');
  await daemon.says('round');
  return { ...host, daemon, url: String(url) };
}

const get = async (url: string): Promise<string> => (await fetch(url)).text();

describe('what hostile phones say', { timeout: 60_000 }, () => {
  it('reaches no terminal’s controls by any command', async () => {
    const { env } = await hostileHost();
    const commands = [
      ['inventory'],
      ['inventory', '--json'],
      ['inventory', '--explain', '--show-identifiers'],
      ['inventory', '--report'],
      ['doctor'],
      ['doctor', '--json'],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await hostnode(args, {
        ...env,
        HOSTNODE_LOG_FORMAT: 'pretty',
        HOSTNODE_LOG_LEVEL: 'trace',
      });
      expect(stdout, args.join(' ')).toContain('$(id)');
      expect(`${stdout}${stderr}`, args.join(' ')).not.toMatch(unsafe);
    }
  });

  it('reaches none by the commands to a running agent either', async () => {
    const { env, phones } = await hostileAgent();
    const [serial = ''] = phones.map((phone) => safeIdentifier(phone.serial));
    for (const args of [
      ['maintenance', serial, '--until', '2h', '--reason', attack.replaceAll('\0', '')],
      ['maintenance'],
      ['maintenance', '--json'],
      ['status'],
      ['status', '--json'],
      ['report', '--now'],
      ['forget', serial],
      ['maintenance', serial, '--end'],
    ]) {
      const { code, stdout, stderr } = await hostnode(args, env);
      expect([0, 1], args.join(' ')).toContain(code);
      expect(`${stdout}${stderr}`, args.join(' ')).not.toMatch(unsafe);
      expect(`${stdout}${stderr}`.length, args.join(' ')).toBeGreaterThan(10);
    }
  });

  it('is one line of JSON in the log, and feigns none in the text for people', async () => {
    const { daemon } = await hostileAgent();
    await daemon.end();
    expect(daemon.stdout).toContain('the cloud refused a device');
    expect(daemon.stdout).not.toMatch(unsafe);
    expect(daemon.log.length).toBeGreaterThan(5); // each line was parsed
    const { env } = await hostileHost();
    const pretty = new Program([process.execPath, programFile(), 'run'], {
      ...env,
      HOSTNODE_LOG_FORMAT: 'pretty',
    });
    const patience = AbortSignal.timeout(12_000);
    while (!pretty.stdout.includes('the cloud refused a device'))
      await once(pretty.child.stdout ?? pretty.child, 'data', { signal: patience });
    await pretty.end();
    expect(pretty.stdout).not.toMatch(unsafe);
    const lines = pretty.stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/^(?:\[\d\d:\d\d:\d\d\] [A-Z]+(?: \(.*\))?: | {4})/.test(line))).toEqual(
      [],
    );
  });

  it('goes to the cloud in the contract’s form, bounded and printable, its name with it', async () => {
    const { cloud, phones } = await hostileAgent();
    const bodies = cloud.requests.map(bodyOf);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      const { devices = [] } = DevicesBody.parse(body);
      for (const shown of devices) {
        expect(phones.map(({ serial }) => safeIdentifier(serial))).toContain(shown.udid);
        expect(shown.udid.length).toBeLessThanOrEqual(128);
        expect(JSON.stringify(shown)).not.toMatch(unsafe);
        expect(JSON.stringify(shown)).not.toMatch(/\\u00[0189]|\\ud8/);
        expect(Math.max(...Object.values(shown).map((value) => String(value).length))).toBeLessThanOrEqual(
          1000,
        );
      }
    }
  });

  it('is data in /api/status, in the Markdown for the next shift and in systemd’s status line', async () => {
    const { url } = await hostileAgent();
    const status: HostStatus = JSON.parse(await get(`${url}api/status`));
    expect(status.phones).toHaveLength(3);
    const markdown = problemsAsMarkdown(status);
    expect(markdown).toContain('- **');
    expect(
      markdown
        .split('\n')
        .filter((line) => !/^(?:## |- \*\*| {2}(?:The cloud says|Where|Command): |\d+ of |$)/.test(line)),
    ).toEqual([]);
    expect(markdown.replaceAll(/`[^`]*`/g, '').match(/(?<!\\)[<[]/g)).toBeNull();
    for (const { state } of status.phones) {
      const line = statusLine(
        {
          adb: { state: 'listed' },
          phones: [state, attack, `a\nMAINPID=1`].map((said) => ({
            device: { attached: true, state: said },
            isSilent: false,
          })),
          reports: { trouble: { failure: attack, said: attack, remedy: attack } },
        },
        { host: '127.0.0.1', port: 5037, hostKind: anyHost },
      );
      expect(line).not.toMatch(/\n/);
      expect(line).not.toMatch(unsafe);
    }
  });

  it('writes no file but where it is told to', async () => {
    const { env } = await hostileHost();
    const folder = await temporaryFolder();
    const to = join(folder, 'captured');
    const { stdout } = await hostnode(['inventory', '--capture', to], env);
    expect(stdout).not.toMatch(unsafe);
    expect(await readdir(folder)).toEqual(['captured']);
    const folders = await readdir(to);
    expect(folders.length).toBeGreaterThan(0);
    for (const name of folders) expect(name).toMatch(/^[a-z0-9.-]{1,130}$/);
  });
});

describeWithPromtool('what hostile phones say, as Prometheus reads it', () => {
  it('ends no label, and none is longer than 128 characters', async () => {
    const { url } = await hostileAgent();
    const text = await get(`${url}metrics`);
    const samples = samplesOf(text);
    expect(samples.filter(({ name }) => name === 'hostnode_device_info')).toHaveLength(3);
    const values = samples.flatMap(({ labels }) => Object.values(labels));
    expect(values.filter((value) => unsafe.test(value) || value.length > 128)).toEqual([]);
    expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' });
  });
});

describeWithChromium('what hostile phones say, on the page', () => {
  it('is text: nothing is made of it, nothing else is asked, and no policy has to stop it', async () => {
    const { url } = await hostileAgent();
    const executablePath = chromiumPath() ?? '';
    const browser = await chromium.launch({
      executablePath,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => request.url().startsWith(url) || complaints.push(request.url()));
    for (const place of ['', '#table', '#wall']) {
      await page.goto(`${url}${place}`);
      await page.getByText('onerror').first().waitFor({ state: 'attached' });
      expect(await page.locator('img, iframe, object, script:not([src]), [onerror]').count()).toBe(0);
      expect(await page.title()).not.toContain('owned');
    }
    expect(complaints).toEqual([]);
    // the policy is on: a script that were there would not run
    await page.evaluate(
      'document.body.append(Object.assign(document.createElement("script"), { text: "document.title = `owned`" }))',
    );
    expect(await page.title()).not.toContain('owned');
    expect(complaints.join()).toMatch(/Content Security Policy/);
  });
});
