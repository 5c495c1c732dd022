/** Prism as a process: it knows of the API what the OpenAPI document says, and nothing of hostnode. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openApi } from '../../src/cloud/openapi.ts';

const program = fileURLToPath(new URL('node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));

/** What has to be done before Prism can start. */
export const missingForPrism = (): string[] =>
  existsSync(program) ? [] : ['Prism: npm ci --prefix test/judge --ignore-scripts'];

export interface MockOptions {
  /** OpenAPI; by default that of the contract. */
  document?: object;
  seed?: string;
}

export class Prism implements AsyncDisposable {
  /** Without a path. */
  readonly origin: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(origin: string, child: ChildProcess, folder: string) {
    this.origin = origin;
    this.#child = child;
    this.#folder = folder;
  }

  /** Passes on to `upstream` what the document allows, and back; anything else it answers itself, with a reason. */
  static proxy(upstream: string): Promise<Prism> {
    return Prism.#start(openApi('3.1'), 'proxy', [upstream, '--errors']);
  }

  /**
   * Answers each request that the document allows by an answer that it allows: an example from it, or a made-up value.
   *
   * @param seed of the made-up values; without one, examples
   */
  static mock({ document = openApi('3.1'), seed }: MockOptions): Promise<Prism> {
    return Prism.#start(document, 'mock', seed === undefined ? [] : ['--dynamic', '--seed', seed]);
  }

  /** @throws {Error} it ended before it listened; says what it printed */
  static async #start(document: object, command: string, options: string[]): Promise<Prism> {
    const folder = mkdtempSync(join(tmpdir(), 'hostnode-prism-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const child = spawn(process.execPath, [program, command, file, ...options, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH ?? '' },
    });
    const lines = createInterface({ input: child.stdout });
    const printed: string[] = [];
    const origin = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`Prism ended:\n${printed.join('\n')}`)));
      lines.on('line', (line) => {
        const [, address] = /Prism is listening on (http:\S+)/.exec(line) ?? [];
        if (address === undefined) printed.push(line);
        else resolve(address);
      });
    });
    return new Prism(origin, child, folder);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
