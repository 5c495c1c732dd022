import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { GONE } from '../../src/report/message.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { HostStatus, Why } from '../../src/status/host-status.ts';
import { Rig, type SimulatedPhone } from '../rig/rig.ts';
import { UsbView } from '../rig/usb-view.ts';
import { openWindow, startChromium } from '../support/chromium.ts';
import { describeWithRig, hasChromium } from '../support/describe-with.ts';
import { samplesOf } from '../support/exposition.ts';
import type { LogLine } from '../support/log.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import { startCloud, stored, temporaryFolder, toAdb, toCloud } from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

const names = ['htc-one-m7-4.1', 'smartron-t5911-8.1', 'xiaomi-poco-f6-15', 'htc-one-m7-4.1'];
/** By their ports: the first three share a hub. */
const ports = ['1-3.1', '1-3.2', '1-3.3', '1-5'];
/** Losses in the first minute of an agent are nobody's. */
const STARTS_MS = 61_000;
const ofHub = ['HUB-1', 'HUB-2', 'HUB-3'];

describeWithRig('a finding, with a real adb server', () => {
  const isPageSeen = hasChromium('a finding on the page of an agent with a real adb server');
  let rig: Rig;
  let usb: UsbView;
  let cloud: Sandbox;
  let env: Environment;
  let page: string;

  beforeEach(async () => {
    rig = await Rig.start();
    usb = await UsbView.start(rig.adb.port);
    cloud = await startCloud();
    const port = await freePort();
    page = `http://127.0.0.1:${port}`;
    env = {
      ...toAdb(usb.port, await temporaryFolder()),
      ...toCloud(cloud),
      HOSTNODE_STATUS_ENABLED: 'true',
      HOSTNODE_STATUS_PORT: String(port),
    };
    return async () => {
      await usb[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    };
  });

  async function plugged(): Promise<SimulatedPhone[]> {
    const phones = await Promise.all(names.map((name) => rig.switchOn(name)));
    for (const [index, phone] of phones.entries()) {
      const serial = ofHub[index] ?? 'OTHER';
      usb.seat(phone.adbd.port, { serial, devpath: ports[index] ?? '' });
      await rig.plug(phone);
    }
    return phones;
  }

  /** The judges wait some seconds whether lost phones come back. */
  async function logged(daemon: Daemon, msg: string): Promise<LogLine> {
    await expect.poll(() => daemon.logged(msg)).toHaveLength(1);
    return daemon.logged(msg)[0] as LogLine;
  }

  const status = async (): Promise<HostStatus> =>
    (await fetch(`${page}/api/status`)).json() as Promise<HostStatus>;
  const found = async (code: string) =>
    samplesOf(await (await fetch(`${page}/metrics`)).text()).find(
      ({ name, labels }) => name === 'hostnode_finding' && labels.code === code,
    )?.value;

  const why = async (name: string): Promise<Why> =>
    JSON.parse((await hostnode(['why', '--json', name], env)).stdout);
  const kindsIn = ({ timeline }: Why) => timeline.map(({ kind }) => kind);

  /** The page that the agent serves, in a browser. */
  async function opened(): Promise<{ tab: Page; complaints: string[] }> {
    const complaints: string[] = [];
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const window = await openWindow(browser, { origin: page, complaints });
    const tab = await window.newPage();
    await tab.goto(page);
    await tab.getByText('All 4 phones fine').waitFor();
    return { tab, complaints };
  }

  it('about a hub begins, is told everywhere, and ends', async () => {
    const phones = await plugged();
    const daemon = new Daemon(env);
    for (const udid of [...ofHub, 'OTHER'])
      await stored(cloud, (device) => device.udid === udid && device.message === '');
    await expect.poll(() => found('HUB_LOST')).toBe(0);

    const [seen] = await Promise.all([isPageSeen ? opened() : undefined, pause(STARTS_MS)]);
    await Promise.all(phones.slice(0, 3).map((phone) => rig.unplug(phone)));
    const began = await logged(daemon, 'finding began');
    expect(began).toMatchObject({ level: 'warn', code: 'HUB_LOST', subject: 'hub 1-3' });
    expect(began.udids).toEqual(expect.arrayContaining(ofHub));
    // the cloud heard of the loss before anybody knew why, and hears no more of phones that are gone
    const own = cloud.devices().map(({ info: { udid, status, message } }) => ({ udid, status, message }));
    const message = GONE.usb;
    expect(own).toEqual(
      expect.arrayContaining(ofHub.map((udid) => ({ udid, status: 'UNPLUGGED', message }))),
    );
    expect(await found('HUB_LOST')).toBe(1);
    // the page is told of changes once a second
    await expect.poll(status).toMatchObject({
      causes: [{ kind: 'finding', code: 'HUB_LOST', udids: began.udids, remedy: began.remedy }],
      counts: { fine: 1, needsAttention: 3 },
    });
    const { stdout } = await hostnode(['status'], env);
    expect(stdout).toContain(`(HUB_LOST, for `);
    expect(stdout).toContain(`   → ${began.remedy}`);

    const ofTheHub = await why('1-3');
    const blame = { party: 'hub', because: expect.any(String), certainty: expect.any(String) };
    expect(ofTheHub).toMatchObject({
      subject: { kind: 'hub' },
      findings: [{ code: 'HUB_LOST', title: began.title }],
      remedy: began.remedy,
    });
    expect(ofTheHub.timeline).toContainEqual(
      expect.objectContaining({ kind: 'detached', text: expect.stringMatching(/^3 phones lost/) }),
    );
    const ofAPhone = await why('HUB-1');
    expect(ofAPhone).toMatchObject({ blame, remedy: began.remedy, findings: [{ code: 'HUB_LOST' }] });
    expect(kindsIn(ofAPhone)).toContain('detached');
    const said = (await hostnode(['why', 'HUB-1'], env)).stdout;
    expect(said).toContain(`\n  → ${began.remedy}\n`);
    expect(said).toMatch(/\nTo blame +\w+ the hub: .*HUB_LOST.*lost: adb no longer lists it/s);

    if (seen !== undefined) {
      const { tab } = seen;
      const cause = tab.locator('.causes li', { hasText: 'HUB_LOST' });
      await cause.getByText(String(began.remedy)).waitFor();
      expect(await tab.locator('.causes li').count()).toBe(1);
      await tab.goto(`${page}/#phone/HUB-1`);
      const reasons = tab.getByRole('region', { name: 'Why' });
      await reasons.locator('.remedy', { hasText: String(began.remedy) }).waitFor();
      await reasons.locator('.blame', { hasText: 'the hub' }).waitFor();
      await reasons.locator('.findings', { hasText: 'HUB_LOST' }).waitFor();
      await tab.locator('.timeline li', { hasText: 'lost: adb no longer lists it' }).waitFor();
    }

    daemon.child.kill('SIGHUP'); // a reload ends no finding
    await daemon.says('reading the configuration again');
    await daemon.says('round');
    await expect.poll(() => found('HUB_LOST')).toBe(1);

    for (const phone of phones.slice(0, 3)) await rig.plug(phone);
    const ended = await logged(daemon, 'finding ended');
    expect(ended).toMatchObject({ code: 'HUB_LOST', since: began.since });
    for (const udid of ofHub)
      await stored(
        cloud,
        (device) => device.udid === udid && device.status === 'PLUGGED' && device.message === '',
      );
    expect(await found('HUB_LOST')).toBe(0);
    await expect.poll(status).toMatchObject({ causes: [], counts: { fine: 4 } });
    const over = await why('1-3');
    expect(over).toMatchObject({ findings: [], remedy: '' });
    expect(kindsIn(over)).toEqual(expect.arrayContaining(['detached', 'attached']));
    const back = await why('HUB-1');
    expect(back).toMatchObject({ findings: [], remedy: '', blame, lostAt: ofAPhone.lostAt });
    expect(back.now).toMatch(/ is fine$/);
    if (seen !== undefined) {
      const { tab, complaints } = seen;
      await tab.getByRole('region', { name: 'Why' }).getByText(back.now).waitFor();
      await tab.locator('.why .findings').waitFor({ state: 'detached' });
      await tab.locator('.why .blame', { hasText: 'the hub' }).waitFor();
      await tab.goto(`${page}/#rack`);
      await tab.getByText('All 4 phones fine').waitFor();
      expect(await tab.locator('.causes').count()).toBe(0);
      const isRefused = (said: string) => said.includes('ERR_CONNECTION_REFUSED'); // during the reload
      expect(complaints.filter((said) => !isRefused(said))).toEqual([]);
    }
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.logged('finding began')).toHaveLength(1);
    expect(daemon.logged('finding ended')).toHaveLength(1);
    expect(daemon.logged('finding goes on')).toEqual([]);
  });
});
