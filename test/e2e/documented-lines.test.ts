/**
 * Runs the shell lines of the documents, in the order of each page, as they are printed: the built program, an agent that
 * runs, a sandbox cloud, and simulated phones with the names that the documents use. A line that does not run here says why.
 */
import { access, chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordingsOf } from '../../src/demo/scenes.ts';
import { parseStory } from '../../src/demo/story.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { standardSeed } from '../../src/sandbox/seed.ts';
import { codeBlocks, pages, readText, section } from '../docs/pages.ts';
import { Daemon, Program, programFile } from '../support/program.ts';
import { startAdb, temporaryFolder, toAdb } from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

/** Blocks that the tests of the guests run themselves, as root on a Debian with systemd. */
const GUESTS = [
  { page: 'systemd/README.md', heading: '## Install', block: 1, by: 'test/systemd/service.test.ts' },
  { page: 'docs/install.md', heading: '## Debian package', block: 1, by: 'test/package/host.test.ts' },
  { page: 'docs/operate.md', heading: "## The kernel's log", block: 0, by: 'test/package/host.test.ts' },
  { page: 'docs/moving.md', heading: '## Replace a host', block: 0, by: 'test/package/host.test.ts' },
  { page: 'docs/moving.md', heading: '## Replace a host', block: 1, by: 'test/package/host.test.ts' },
  {
    page: 'docs/moving.md',
    heading: '## Merge two hosts into one',
    block: 0,
    by: 'test/package/host.test.ts',
  },
];

/** Whole lines that do not run here, and why; the first pattern counts. `by` tests the same. */
const ELSEWHERE: readonly { line: RegExp; why: string; by?: string }[] = [
  { line: /^npm ci && npm (?:test|run build)$/, why: 'all tests, and the build, run by it', by: '.ci/run' },
  { line: /^npm (?:ci && npm )?run package/, why: 'minutes of packing', by: 'test/package/package.test.ts' },
  { line: /^npm run (?:bench|fuzz|soak|test:faults)/, why: 'minutes of load, by hand' },
  {
    line: /^(?:sudo )?(?:apt-get|systemctl|systemd-|udevadm|journalctl|install |curl -fsSLo|echo 'deb)/,
    why: 'needs root on a Debian with systemd: the guests do it',
    by: 'test/systemd/service.test.ts',
  },
  { line: /^cat > \/etc\//, why: 'root of a guest', by: 'test/systemd/service.test.ts' },
  { line: /\/etc\/hostnode\/conf\.d/, why: 'writes below /etc' },
  { line: /^podman/, why: 'containers', by: 'test/container/container.test.ts' },
  { line: /kubectl/, why: 'a cluster; the manifests are made', by: 'test/container/manifests.test.ts' },
  { line: /^(?:cd deploy\/ansible|ansible-)/, why: 'a rollout', by: 'test/ansible/rollout.test.ts' },
  { line: /hostnode config init/, why: 'asks on a terminal', by: 'test/e2e/config-init.test.ts' },
  { line: /^hostnode cloud login +#/, why: 'asks on a terminal', by: 'test/e2e/cloud-login.test.ts' },
  { line: /slots learn/, why: 'asks on a terminal', by: 'test/e2e/slots-learn.test.ts' },
  { line: /^sudo hostnode support +#/, why: 'asks on a terminal', by: 'test/e2e/support.test.ts' },
  { line: /\| sudo tee \/sys\//, why: 'changes the kernel of this machine' },
  { line: /config check my-lab/, why: 'a folder of the reader' },
];

/** What ends by a signal only: the words after which it has shown what it is for. */
const LASTING: readonly { line: RegExp; until: RegExp; staysForPage?: true }[] = [
  { line: /^hostnode demo .*--port/, until: /cloud: PUT/, staysForPage: true },
  { line: /^hostnode demo/, until: /cloud: PUT/ },
  { line: /^hostnode run/, until: /"msg":"round"/ },
  { line: /^hostnode sandbox/, until: /A sandbox cloud at/, staysForPage: true },
  { line: /--watch/, until: /phones? fine/ },
];

/** Exit codes that a line may have beside 0, and why. */
const CODES: readonly { line: RegExp; codes: number[]; why: string }[] = [
  { line: /doctor/, codes: [1, 3, 4], why: 'this machine has no adb, or another fault' },
  { line: /inventory --expect/, codes: [1], why: 'no list is configured' },
  { line: /hostnode verdict/, codes: [10, 11], why: 'the code is the answer: not all was watched' },
  { line: /cloud groups list 2/, codes: [3], why: 'the account is of organization 1' },
  { line: /^hostnode cloud/, codes: [1], why: 'the sandbox has no app, version or session with the id' },
];

/** Of a block for a guest, which has no udev under systemd-nspawn. */
const RUNS_HERE = /^(?:hostnode|udevadm) /;

/** Without its comment, and without sudo: a guest has none. */
const plain = (line: string): string => line.replace(/ +# .*$/, '').replace(/^sudo /, '');

/** Lines, with those that a backslash or a here-document joins as one. */
function linesOf(block: string): string[] {
  const lines: string[] = [];
  let end: string | undefined;
  let isOpen = false;
  for (const line of block.split('\n')) {
    if (end !== undefined || isOpen) lines.push(`${lines.pop()}\n${line}`);
    else if (line.trim() !== '' && !line.startsWith('#')) lines.push(line);
    if (end === undefined) end = /<<'(\w+)'/.exec(line)?.[1];
    else if (line === end) end = undefined;
    isOpen = end === undefined && line.endsWith('\\');
  }
  return lines;
}

const STORY = `title: The phones of the documents
phones:
  - { serial: R58M123ABC, port: 1-4.1, slot: "rack 2, shelf 3, bay 1", like: POCO F6 }
  - { serial: emulator-5554, port: 1-4.2, slot: "rack 2, shelf 3, bay 2", like: Xiaomi 12X }
  - { serial: RE47644423, port: 1-4.3, slot: "rack 2, shelf 3, bay 3", like: Pixel 5 }
happenings: []
`;

/** @returns where a chat takes messages */
async function chat(): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('every line of the documents runs as it is printed, or says why not', async () => {
  const story = parseStory(STORY, 'documents');
  const phones = recordingsOf(story).map((recording) => new SimulatedPhone(recording));
  const adb = await startAdb(...phones);
  const seed = structuredClone(standardSeed);
  const cloud = await Sandbox.start({ seed });
  const folder = await temporaryFolder();
  const [stateDir, bin] = [join(folder, 'state'), join(folder, 'bin')];
  await mkdir(bin);
  const start = `#!/bin/sh\nexec '${process.execPath}' '${programFile()}' "$@"\n`;
  // as in a root shell, which has no sudo
  for (const [name, text] of [
    ['hostnode', start],
    ['sudo', '#!/bin/sh\nexec "$@"\n'],
  ] as const) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  const toCloud = {
    HOSTNODE_CLOUD_BASE_URL: cloud.baseUrl,
    HOSTNODE_CLOUD_USERNAME: 'admin',
    HOSTNODE_CLOUD_API_KEY: 'admin-key',
  };
  const slots = story.phones.map(({ slot, port }) => ({ name: slot, paths: [port] }));
  const env = {
    ...toAdb(adb.port, stateDir),
    ...toCloud,
    HOSTNODE_SLOTS: JSON.stringify(slots),
    HOSTNODE_NOTIFY: JSON.stringify([{ url: await chat() }]),
    HOSTNODE_NEW_USER_PASSWORD: 'correct horse',
    PATH: `${bin}:${process.env.PATH}`,
  };
  const agent = new Daemon(env);
  const { url } = await agent.says('status page');
  await agent.says('round');
  const freed = await freePort();
  /** What the reader has at another address. */
  const adapted = (line: string) =>
    line
      .replace(/^npm ci && (?=npm run)/, '')
      .replace(/^npm run (?:hostnode --|(demo)(?: --)?)(?= |$)/, 'hostnode $1')
      .replace(/ +/g, (blanks) => (line.includes("'") ? blanks : ' '))
      .replaceAll('https://cloud.example.com/v1', cloud.baseUrl)
      .replaceAll('lab@example.com', 'admin')
      .replace(/(?<=--hosts )rack-1\S+/, String(url))
      .replace(/\b(?:8080|7001)\b/g, String(freed));

  const counts = { ran: 0, guests: 0, all: 0 };
  const inGuests = new Set(
    GUESTS.flatMap(({ page, heading, block }) => {
      const lines = linesOf(codeBlocks(section(page, heading), 'sh')[block] ?? '');
      return lines.filter((line) => !RUNS_HERE.test(line)).map(plain);
    }),
  );
  const wrong: string[] = [];
  const used = new Set<unknown>();
  const find = <T extends { line: RegExp }>(list: readonly T[], line: string): T | undefined => {
    const found = list.find((each) => each.line.test(line));
    if (found !== undefined) used.add(found);
    return found;
  };

  /** @returns a program that stays for the other lines of the page */
  const runLine = async (line: string, cwd: string): Promise<Program | undefined> => {
    // a phone is forgotten while it is away
    const [first] = phones;
    const isForgotten = line.startsWith('hostnode forget') && first !== undefined;
    if (isForgotten) {
      adb.unplug(first.serial);
      await expect.poll(() => agent.stdout).toMatch(/"msg":"phone unplugged"/);
    }
    const ofReader = { PATH: env.PATH, HOME: cwd };
    const isOwn = line.startsWith('hostnode run '); // an agent of the reader has a state of its own
    const around = line.includes('demo.yaml')
      ? ofReader
      : { ...env, ...ofReader, ...(isOwn && { HOSTNODE_STATE_DIR: join(cwd, 'state') }) };
    const program = new Program(['bash', '-c', `cd '${cwd}' && ${line}`], around);
    const lasting = find(LASTING, line);
    if (lasting !== undefined) {
      await Promise.race([expect.poll(() => program.stdout).toMatch(lasting.until), program.ended]);
      if (lasting.staysForPage && program.child.exitCode === null) return program;
      interrupt(program);
    }
    const code = await program.ended;
    const allowed = find(CODES, line)?.codes ?? [];
    const said = `${program.stdout.slice(-600)}${program.stderr}`;
    if (code !== 0 && !allowed.includes(code ?? -1)) wrong.push(`${code}: ${line}\n${said}`);
    if (isForgotten) {
      adb.plug(first);
      await expect.poll(async () => (await status('status', '--names')).includes(first.serial)).toBe(true);
    }
    return undefined;
  };
  const interrupt = (program: Program) => process.kill(-(program.child.pid ?? 0), 'SIGINT');
  const status = async (...args: string[]) => {
    const program = new Program([process.execPath, programFile(), ...args], env);
    await program.ended;
    return program.stdout;
  };

  const runPage = async (page: string): Promise<void> => {
    const cwd = await mkdtemp(join(folder, 'page-'));
    await mkdir(join(cwd, '.config/hostnode'), { recursive: true });
    const files = {
      'key-file': 'admin-key\n',
      'swipe.txt': 'down 50% 80%; up\n',
      'shop.apk': await readFile('test/fixtures/apk/hello.apk'),
      'hostnode.yaml': 'status: { port: 0 }\n',
      '.config/hostnode/hosts.yaml': JSON.stringify({ hosts: [url] }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text, { mode: 0o600 });
    const staying: Program[] = [];
    for (const line of codeBlocks(readText(page), 'sh').flatMap(linesOf)) {
      counts.all += 1;
      if (inGuests.has(plain(line))) counts.guests += 1;
      if (inGuests.has(plain(line)) || find(ELSEWHERE, line) !== undefined) continue;
      counts.ran += 1;
      staying.push(...[await runLine(adapted(line), cwd)].filter((program) => program !== undefined));
    }
    for (const program of staying) {
      interrupt(program);
      expect(await program.ended).toBe(0);
    }
  };
  const isApi = (page: string) => page === 'docs/api.md';
  await Promise.all([
    ...pages.filter(isApi).map(runPage),
    (async () => {
      for (const page of pages) if (!isApi(page)) await runPage(page);
    })(),
  ]);
  const ran = counts.ran + counts.guests;
  process.stderr.write(
    `${ran} of ${counts.all} documented lines ran, ${counts.guests} of them in the guests of other tests\n`,
  );
  expect(wrong).toEqual([]);
  expect([...ELSEWHERE, ...LASTING, ...CODES].filter((each) => !used.has(each))).toEqual([]);
  expect(ran).toBeGreaterThan(120);
  for (const { heading, by } of GUESTS) expect(await readFile(by, 'utf8')).toContain(heading.slice(3));
  for (const { by } of ELSEWHERE) if (by !== undefined) await access(by);
  await agent.end();
  await cloud.stop();
});
