import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NotifyTarget } from '../../../src/config/notify.ts';
import { Secret } from '../../../src/config/secrets.ts';
import type { Finding } from '../../../src/diagnosis/finding.ts';
import { type NotifierOptions, startNotifier } from '../../../src/status/notify/notifier.ts';
import { keptLog } from '../../support/log.ts';
import { type Manner, OtlpEndpoint } from '../../support/otlp-endpoint.ts';
import { finding } from '../../support/sample-finding.ts';

const secret = 't0ken-that-nobody-may-see';
const path = '/hooks/xyz-generated-key-xyz?sig=s1gnature-0123456789';

/** A state directory, an endpoint, and a notifier that groups for 20 ms and retries at once. */
async function telling(manner?: Manner, changes: Partial<NotifyTarget> = {}) {
  const endpoint = await OtlpEndpoint.start();
  onTestFinished(() => endpoint.shut());
  if (manner !== undefined) endpoint.manner = manner;
  const stateDir = await mkdtemp(join(tmpdir(), 'hostnode-notify-'));
  onTestFinished(() => rm(stateDir, { recursive: true }));
  const waiting: (() => void)[] = [];
  const { log, lines } = keptLog('info', () => {
    for (const wake of waiting.splice(0)) wake();
  });
  const findings: { current?: readonly Finding[] } = {};
  const origin = new URL(endpoint.url).origin;
  const target: NotifyTarget = {
    ...{ key: 'notify.1', url: new Secret(`${origin}${path}`), shown: `${origin}/…` },
    ...{ format: 'json', severity: 'major', codes: [], headers: { 'x-key': new Secret(secret) } },
    ...changes,
  };
  const start = async (more: Partial<NotifierOptions> = {}) => {
    const notifier = await startNotifier({
      ...{ targets: [target], findings, host: { host: 'rack-2', nodeId: 'rack-2' }, stateDir, env: {}, log },
      timing: { groupMs: 20, manyMs: 300_000, settleMs: 0, delays: { quickMs: [], slowMs: [20] } },
      ...more,
    });
    onTestFinished(() => notifier.stop());
    return notifier;
  };
  const notifier = await start();
  const are = (...current: Finding[]) => {
    findings.current = current;
    notifier.changed();
  };
  const says = async (msg: string) => {
    while (!lines.some((line) => line.msg === msg))
      await new Promise<void>((resolve) => waiting.push(resolve));
    return lines.filter((line) => line.msg === msg);
  };
  /** What the next message says. */
  const told = async () => {
    const { body } = await endpoint.pushed();
    return said(body);
  };
  return { endpoint, stateDir, notifier, findings, start, are, says, told, lines };
}

const said = (body: Buffer): string[] =>
  JSON.parse(body.toString()).findings.map(
    (each: { change: string; code: string; severity: string }) =>
      `${each.change} ${each.code} ${each.severity}`,
  );

const hub = (more: Partial<Finding> = {}) =>
  finding('HUB_LOST', { subject: { kind: 'hub', key: '1-3' }, ...more });

const failed = 'a message about findings is not taken';
const again = 'messages about findings are taken again';

describe('the notifier', () => {
  it('tells each begin, change and end once, with the headers', async () => {
    const { endpoint, are, told, lines } = await telling();
    const first = told();
    are(hub());
    expect(await first).toEqual(['began HUB_LOST major']);
    const second = told();
    are(hub({ severity: 'critical', title: 'another title' }), finding('FLAPPING'));
    expect(await second).toEqual(['changed HUB_LOST critical', 'began FLAPPING major']);
    const third = told();
    are(finding('FLAPPING', { title: 'another title' }));
    expect(await third).toEqual(['ended HUB_LOST critical']);
    expect(endpoint.pushes).toHaveLength(3);
    const [{ method, path: asked, headers } = {}] = endpoint.pushes;
    expect([method, asked, headers?.['x-key'], headers?.['content-type']]).toEqual([
      ...['POST', path, secret, 'application/json'],
    ]);
    expect(lines).toEqual([]);
  });

  it('tells only what is wanted, and follows that to its end', async () => {
    const { are, told } = await telling(undefined, { codes: ['HUB_LOST', 'FLAPPING'] });
    const first = told();
    are(finding('BATTERY_HOT', { severity: 'critical' }), hub(), finding('FLAPPING', { severity: 'minor' }));
    expect(await first).toEqual(['began HUB_LOST major']);
    const second = told();
    are(hub({ severity: 'minor' }));
    expect(await second).toEqual(['changed HUB_LOST minor']);
    const third = told();
    are();
    expect(await third).toEqual(['ended HUB_LOST minor']);
  });

  it('tells forty that begin one after the other in one message', async () => {
    const { endpoint, are, told } = await telling();
    const all = Array.from({ length: 40 }, (_, index) =>
      finding('FLAPPING', { subject: { kind: 'phone', key: `${index}` } }),
    );
    const first = told();
    for (const end of [1, 10, 40]) are(...all.slice(0, end));
    expect(await first).toHaveLength(40);
    expect(endpoint.pushes).toHaveLength(1);
  });

  it('lets what comes and goes all the time wait: a chat that is full of it is read by nobody', async () => {
    const { endpoint, are, start, notifier } = await telling();
    await notifier.stop();
    const timing = {
      groupMs: 20,
      manyMs: 300_000,
      settleMs: 0,
      delays: { quickMs: [], slowMs: [20] },
    } as const;
    const patient = await start({ timing: { ...timing, manyMs: 3_600_000 } });
    for (let times = 0; times < 6; times += 1)
      for (const current of [[hub()], []]) {
        const pushed = endpoint.pushed();
        are(...current);
        patient.changed();
        await pushed;
      }
    are(hub());
    patient.changed();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(endpoint.pushes).toHaveLength(12);
  });

  it.each<[string, Manner, RegExp]>([
    ['hangs up', 'cut', /ECONNRESET|EPIPE/],
    ['answers 404', { status: 404 }, /404 Not Found; check the address \(notify\.1\.url or urlFile\)/],
    ['answers 401', { status: 401 }, /401 Unauthorized; check the headers \(notify\.1\.headersFile\)/],
    ['answers 429', { status: 429, headers: { 'retry-after': '0' } }, /429 Too Many Requests; wait/],
    [
      'answers with a page',
      { status: 200, body: '<!doctype html>' },
      /the answer is not one of a webhook: 200/,
    ],
    ['answers with 50 MB', { status: 200, body: Buffer.alloc(50_000_000, 120) }, /not one of a webhook: 200/],
    [
      'redirects',
      { status: 307, headers: { location: `http://127.0.0.1:9${path}` } },
      /307, not followed: redirects to http:\/\/127\.0\.0\.1:9\/hooks\/\[redacted\]/,
    ],
    [
      'quotes our secrets',
      { status: 403, headers: { 'content-type': 'text/plain' }, body: `no ${secret} at ${path}` },
      /403 Forbidden \("no \[redacted\] at/,
    ],
  ])('says once of an address that %s, and then tells what is so', async (_, manner, words) => {
    const { endpoint, are, told, says, lines } = await telling(manner);
    are(hub(), finding('FLAPPING'));
    const [line] = (await says(failed)) as unknown as { err: { message: string; code: string } }[];
    expect(line?.err.code).toBe('NOT_NOTIFIED');
    expect(line?.err.message).toMatch(words);
    await endpoint.pushed(2);
    // one ends unheard, another begins
    are(hub({ severity: 'critical' }), finding('BOOT_LOOP'));
    await endpoint.pushed();
    endpoint.take();
    expect(await told()).toEqual(['began HUB_LOST critical', 'began BOOT_LOOP major']);
    await says(again);
    expect(lines).toHaveLength(2);
    const log = JSON.stringify(lines);
    for (const hidden of [secret, 'xyz-generated-key-xyz', 's1gnature']) expect(log).not.toContain(hidden);
  });

  it('tells nothing that began and ended while nobody took it', async () => {
    const { endpoint, are, says, told } = await telling({ status: 503 });
    are(hub());
    await says(failed);
    are();
    endpoint.take();
    const next = told();
    are(finding('FLAPPING'));
    expect(await next).toEqual(['began FLAPPING major']);
  });

  it('tells nothing twice after a restart or a reload, and the ends in between', async () => {
    const { stateDir, notifier, findings, are, told, start } = await telling();
    const first = told();
    are(hub({ title: 'Hub of Anna’s phone' }), finding('FLAPPING'));
    await first;
    await notifier.stop();
    expect(await readFile(join(stateDir, 'notified.json'), 'utf8')).not.toMatch(/Anna|1-3|xyz|s1gnature/);
    const atStart = told();
    findings.current = [hub(), finding('BOOT_LOOP')];
    const next = await start();
    expect(await atStart).toEqual(['began BOOT_LOOP major', 'ended FLAPPING major']);
    await next.stop();
    const afterReload = told();
    findings.current = [finding('BOOT_LOOP')];
    await start();
    expect(await afterReload).toEqual(['ended HUB_LOST major']);
  });

  it('takes no finding for ended while the phones are collected anew', async () => {
    const { stateDir, notifier, findings, endpoint, are, told, start } = await telling();
    const first = told();
    are(hub());
    await first;
    await notifier.stop();
    delete findings.current;
    const next = await start({
      timing: { groupMs: 1, manyMs: 300_000, settleMs: 600_000, delays: { quickMs: [], slowMs: [1] } },
    });
    findings.current = [];
    next.changed();
    const second = told();
    findings.current = [finding('FLAPPING')];
    next.changed();
    expect(await second).toEqual(['began FLAPPING major']);
    expect(endpoint.pushes).toHaveLength(2);
    expect(await readFile(join(stateDir, 'notified.json'), 'utf8')).toContain('HUB_LOST');
  });

  const timeless = { id: 'a', code: 'HUB_LOST', severity: 'major', since: 8.65e15 };
  it.each(['{', JSON.stringify({ version: 1, targets: { x: [timeless] } })])(
    'tells anew what a file damaged as %s does not say, and nothing before the first evaluation',
    async (damaged) => {
      const { stateDir, notifier, findings, are, told, start, lines } = await telling();
      const first = told();
      are(hub());
      await first;
      await notifier.stop();
      await writeFile(join(stateDir, 'notified.json'), damaged);
      const second = told();
      await start();
      expect(await second).toEqual(['began HUB_LOST major']);
      expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('notified.json')]);
      expect(findings.current).toHaveLength(1);
    },
  );

  it('waits at its end for a message that is under way, but not for ever', async () => {
    const { endpoint, notifier, are, lines } = await telling('silent');
    are(hub());
    await endpoint.pushed();
    await notifier.stop();
    are(hub(), finding('FLAPPING'));
    expect(endpoint.pushes).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it('tells an address that is named twice what each entry wants', async () => {
    const { endpoint, start, findings, notifier } = await telling();
    await notifier.stop();
    const entry = { url: new Secret(endpoint.url), shown: 'x', format: 'json', headers: {} } as const;
    const targets: NotifyTarget[] = [
      { ...entry, key: 'notify.1', severity: 'critical', codes: [] },
      { ...entry, key: 'notify.2', severity: 'minor', codes: ['FLAPPING'] },
    ];
    findings.current = [hub({ severity: 'critical' }), finding('FLAPPING')];
    const both = endpoint.pushed(2);
    await start({ targets });
    await both;
    expect(endpoint.pushes.map(({ body }) => said(body)).toSorted()).toEqual([
      ['began FLAPPING major'],
      ['began HUB_LOST critical'],
    ]);
  });

  it('lets one address wait for no other', async () => {
    const { start, findings, notifier } = await telling();
    await notifier.stop();
    const silent = await OtlpEndpoint.start();
    onTestFinished(() => silent.shut());
    silent.manner = 'silent';
    const [one, other] = [await telling(), silent];
    findings.current = [hub()];
    const targets = [other.url, one.endpoint.url].map(
      (url, index): NotifyTarget => ({
        ...{ key: `notify.${index + 1}`, url: new Secret(url), shown: 'x', format: 'json' },
        ...{ severity: 'major', codes: [], headers: {} },
      }),
    );
    const first = one.told();
    await start({ targets });
    expect(await first).toEqual(['began HUB_LOST major']);
  });
});
