import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/schema.ts';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { poco } from '../support/lab.ts';
import { cleanEnvironment, type Environment, hostnode, programFile } from '../support/program.ts';
import { startAdb, temporaryFolder, toAdb } from '../support/program-lab.ts';
import { freePort, RawServer } from '../support/raw-server.ts';

/** Buses that no machine has: what is written down is adb's devpath. */
const [first, second, third] = ['901-4.1', '901-4.2', '902-4.1'];

/** `hostnode slots learn` with somebody who types. */
class Learner {
  #stdout = '';
  #stderr = '';
  #rawAnswers = 0;
  readonly child;

  constructor(env: Environment, ...options: string[]) {
    this.child = spawn(process.execPath, [programFile(), 'slots', 'learn', ...options], {
      env: cleanEnvironment(env),
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** Waits until it says this, after what it was last heard to say. */
  async says(text: string): Promise<void> {
    const signal = AbortSignal.timeout(50_000);
    for (;;) {
      const at = this.#stderr.indexOf(text, this.#rawAnswers);
      if (at >= 0) {
        this.#rawAnswers = at + text.length;
        return;
      }
      await once(this.child.stderr, 'data', { signal });
    }
  }

  type(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** Waits for its end, with its input left open. */
  async ended(): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const [code] = await once(this.child, 'close');
    return { code, stdout: this.#stdout, stderr: this.#stderr };
  }
}

/** Moves the phone to another port. */
function move(adb: SimulatedAdbServer, devpath: string): void {
  for (const { serial } of adb.phones.filter((phone) => phone.serial === 'POCO')) adb.unplug(serial);
  adb.plug(poco('POCO', devpath));
}

const lab = async () => {
  const adb = await startAdb(poco('THERE', '901-9'));
  const folder = await temporaryFolder();
  return { adb, folder, env: toAdb(adb.port, folder) };
};

describe('hostnode slots learn', () => {
  it('writes the slots while a phone goes from bay to bay', async () => {
    const { adb, env } = await lab();
    const learner = new Learner(env);
    await learner.says('901-9  THERE');
    learner.type('n');
    await learner.says('Unplug a phone and plug it back in');
    move(adb, first);
    await learner.says(`POCO (24069PC21I) is at ${first}\nName of this bay: `);
    learner.type('rack 2, shelf 3, bay 4');
    await learner.says('Plug the phone into the next bay, or type done.');
    move(adb, second);
    await learner.says('Name of this bay [rack 2, shelf 3, bay 5]: ');
    learner.type('');
    await learner.says('Plug the phone into the next bay, or type done.');
    move(adb, third);
    await learner.says('Name of this bay [rack 2, shelf 3, bay 6]: ');
    learner.type('rack 2, shelf 3, bay 4');
    await learner.says('rack 2, shelf 3, bay 4 has 2 ports now.');
    learner.type('done');
    const { code, stdout } = await learner.ended();
    expect({ code, slots: settings.parse(parse(stdout)).slots }).toEqual({
      code: 0,
      slots: [
        { name: 'rack 2, shelf 3, bay 4', paths: [first, third] },
        { name: 'rack 2, shelf 3, bay 5', paths: [second] },
      ],
    });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'keeps at %s what it has learnt, with what was configured',
    async (signal) => {
      const { adb, folder, env } = await lab();
      const file = join(folder, 'slots.yaml');
      const configured = { name: 'bay 1', paths: [first] };
      const learner = new Learner({ ...env, HOSTNODE_SLOTS: JSON.stringify([configured]) }, '--output', file);
      await learner.says('Already plugged in');
      learner.type('n');
      move(adb, second);
      await learner.says('Name of this bay: ');
      learner.type('bay 2');
      await learner.says('Plug the phone into the next bay');
      move(adb, third);
      await learner.says('Name of this bay [bay 3]: ');
      learner.child.kill(signal);
      const { code, stdout, stderr } = await learner.ended();
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toContain(`${file} has 2 slots: copy the list into the configuration file.\n`);
      expect(stderr).toContain('begin with the number of a bus');
      expect(parse(await readFile(file, 'utf8'))).toEqual({
        slots: [configured, { name: 'bay 2', paths: [second] }],
      });
    },
  );

  it('names the bays of the phones that are plugged in already, without replugging', async () => {
    const { adb, env } = await lab();
    adb.plug(poco('SECOND', '901-10'));
    adb.plug(poco('FIRST', '901-2'));
    const learner = new Learner(env);
    await learner.says('Name these bays now, without replugging? [Y/n] ');
    learner.type('y');
    await learner.says('FIRST (24069PC21I) is at 901-2\nName of this bay: ');
    learner.type('shelf 1, bay 1');
    await learner.says('THERE (24069PC21I) is at 901-9\nName of this bay [shelf 1, bay 2]: ');
    learner.type('');
    await learner.says('SECOND (24069PC21I) is at 901-10\nName of this bay [shelf 1, bay 3]: ');
    learner.type('-');
    await learner.says('Plug the phone into the next bay');
    learner.type('done');
    const { code, stdout } = await learner.ended();
    expect({ code, ...parse(stdout) }).toEqual({
      code: 0,
      slots: [
        { name: 'shelf 1, bay 1', paths: ['901-2'] },
        { name: 'shelf 1, bay 2', paths: ['901-9'] },
      ],
    });
  });

  it('takes answers that come before they are asked for, and ends with them', async () => {
    const { adb, env } = await lab();
    const learner = new Learner(env);
    learner.child.stdin.end('n\nbay 1\n\n');
    await learner.says('Unplug a phone and plug it back in');
    move(adb, first);
    await learner.says('Plug the phone into the next bay');
    move(adb, second);
    const { code, stdout } = await learner.ended();
    expect({ code, names: parse(stdout).slots.map(({ name }: { name: string }) => name) }).toEqual({
      code: 0,
      names: ['bay 1', 'bay 2'],
    });
  });

  it('outlives the adb server, and takes its phones that come back for no news', async () => {
    const { adb, env } = await lab();
    const learner = new Learner(env);
    await learner.says('Already plugged in');
    learner.type('n');
    const { port, phones } = adb;
    await adb.stop();
    await learner.says(`no adb server at 127.0.0.1:${port}. Waiting for it.`);
    const { SimulatedAdbServer } = await import('../../src/demo/adb-server.ts');
    const again = await SimulatedAdbServer.start({ port });
    onTestFinished(() => again.stop());
    for (const phone of phones) again.plug(phone);
    await learner.says('The adb server answers again.');
    move(again, first);
    await learner.says(`POCO (24069PC21I) is at ${first}\n`);
    learner.type('bay 1');
    learner.type('done');
    const { stdout } = await learner.ended();
    expect(parse(stdout)).toEqual({ slots: [{ name: 'bay 1', paths: [first] }] });
  });

  it("lets no words of the adb server's reach the terminal's controls", async () => {
    let lists = 0;
    const server = await RawServer.start((socket) => {
      socket.once('data', (request) => {
        if (request.includes('track')) return;
        const words = 'x\u001b]0;OWNED\u0007';
        socket.end(lists++ === 0 ? 'OKAY0000' : `FAIL${words.length.toString(16).padStart(4, '0')}${words}`);
      });
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const learner = new Learner(toAdb(server.port, await temporaryFolder()));
    await learner.says('x\\u001b]0;OWNED\\u0007');
    learner.child.kill('SIGINT');
    expect((await learner.ended()).stderr).not.toMatch(/[\u001b\u0007]/);
  });

  it('does not write over a file unless it is told to', async () => {
    const { adb, folder, env } = await lab();
    const file = join(folder, 'slots.yaml');
    await writeFile(file, 'mine');
    expect(await hostnode(['slots', 'learn', '--output', file], env)).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${file} already exists; use --force to overwrite\n`,
    });
    const learner = new Learner(env, '--output', file, '--force');
    await learner.says('Already plugged in');
    learner.type('n');
    move(adb, first);
    learner.type('bay 1');
    learner.type('done');
    expect((await learner.ended()).code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('bay 1');
  });

  it('prints what it cannot write', async () => {
    const { adb, folder, env } = await lab();
    const learner = new Learner(env, '--output', join(folder, 'missing', 'slots.yaml'));
    await learner.says('Already plugged in');
    learner.type('n');
    move(adb, first);
    learner.type('bay 1');
    learner.type('done');
    const { code, stdout, stderr } = await learner.ended();
    expect({ code, slots: parse(stdout).slots }).toEqual({
      code: 1,
      slots: [{ name: 'bay 1', paths: [first] }],
    });
    expect(stderr).toContain('cannot write the file: ENOENT');
  });

  it('says that nothing was named, and that no adb server is there', async () => {
    const { env } = await lab();
    const { code, stdout, stderr } = await hostnode(['slots', 'learn'], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/No bay was named\.\n$/);
    const port = await freePort();
    expect(await hostnode(['slots', 'learn'], toAdb(port, await temporaryFolder()))).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^hostnode: no adb server at 127\\.0\\.0\\.1:${port}\n {2}→ Start .* adb\\.port\n$`),
      ),
    });
  });
});
