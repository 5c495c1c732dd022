import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { glob, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { debianVersion } from '../../packaging/control.ts';
import { buildPackage } from '../../packaging/package.ts';
import { exitCode } from '../../src/base/exit-code.ts';
import { configKeys } from '../../src/config/keys.ts';
import { stories } from '../../src/demo/stories.ts';
import { builtPackage } from '../support/built-package.ts';
import { describeWithPackageTools } from '../support/describe-with.ts';
import { isThere, without } from '../support/machine-needs.ts';

const execute = promisify(execFile);
const run = async (program: string, ...args: string[]) =>
  (await execute(program, args, { env: { ...process.env, MANWIDTH: '100' }, maxBuffer: 64 * 1024 ** 2 }))
    .stdout;

describeWithPackageTools('the Debian package', () => {
  let folder: string;
  /** As users get it, but for how well it is compressed. */
  let deb: string;
  /** What it puts on a host. */
  let host: string;

  const read = (path: string) => readFile(join(host, path));
  const unpacked = async (path: string) => gunzipSync(await read(path)).toString();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostnode-package-test-'));
    deb = await buildPackage({ folder, compression: 'quick' });
    host = join(folder, 'host');
    await run('dpkg-deb', '--extract', deb, host);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is without fault to lintian', async () => {
    const said = await run('lintian', '--fail-on=none', '--allow-root', deb);
    expect(said.split('\n').filter((line) => /^[EW]:/.test(line))).toEqual([]);
  });

  it('has all that its documents lead to', async () => {
    const leadsTo = async (page: string) => {
      const text = (await read(join('usr/share/doc/hostnode', page))).toString();
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
      return links.map(([, path = '']) => join(dirname(page), path));
    };
    const pages = globSync('docs/*.md');
    const targets = (await Promise.all(['README.md', ...pages].map(leadsTo))).flat();
    expect(targets).toEqual(expect.arrayContaining(['docs/install.md', 'systemd/README.md']));
    const missing = targets.filter((path) => !existsSync(join(host, 'usr/share/doc/hostnode', path)));
    expect(missing).toEqual([]);
  });

  it('is small enough to be fetched in a lab', async () => {
    expect((await stat(deb)).size).toBeLessThan(40e6); // compressed well, it is below 32 MB
  });

  it('has the same bytes when it is made again', async () => {
    const again = await builtPackage(folder);
    for (const part of ['--ctrl-tarfile', '--fsys-tarfile']) {
      const [one, other] = await Promise.all(
        [deb, again].map((path) => run('sh', '-c', `dpkg-deb ${part} ${path} | sha256sum`)),
      );
      expect(one, part).toBe(other);
    }
    // around them only the times of the archive's members could differ
    const times = await Promise.all([deb, again].map((path) => run('ar', 'tv', path)));
    const [one, other] = times.map((list) => list.replace(/^.* (\w{3} +\d+ \d\d:\d\d \d{4}) .*$/gm, '$1'));
    expect(one).toBe(other);
  });

  it('keeps what the administrator changes, and nothing else', async () => {
    expect(await run('dpkg-deb', '--info', deb, 'conffiles')).toBe('/etc/hostnode/conf.d/README\n');
    // that changes with each key: dpkg would ask whose file is to stay
    expect(await read('usr/share/hostnode/hostnode.yaml')).toEqual(await readFile('config/hostnode.yaml'));
  });

  it('sorts a version before the release that it comes before', async () => {
    const version = debianVersion('0.2.0-rc.1');
    expect(version).toBe('0.2.0~rc.1');
    await run('dpkg', '--compare-versions', version, 'lt', '0.2.0');
    const { version: own } = JSON.parse(await readFile('package.json', 'utf8'));
    expect((await run('dpkg-deb', '--field', deb, 'Version')).trim()).toBe(debianVersion(own));
  });

  it('runs on its own Node', async () => {
    const node = join(host, 'usr/lib/hostnode/node');
    expect(await run(node, '--version')).toBe(`${process.version}\n`);
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await run(node, join(host, 'usr/lib/hostnode/hostnode.cjs'), '--version')).toBe(`${version}\n`);
    expect((await read('usr/bin/hostnode')).toString()).toBe(
      '#!/bin/sh\nexec /usr/lib/hostnode/node /usr/lib/hostnode/hostnode.cjs "$@"\n',
    );
  });

  describe('its documentation', () => {
    let commands: Awaited<ReturnType<typeof askHelp>>;
    beforeAll(async () => {
      commands = await askHelp([]);
    });

    it('has a manual page without a fault, with each command, option, key and exit code', async () => {
      const file = join(host, 'usr/share/man/man1/hostnode.1.gz');
      const { stdout, stderr } = await execute('man', ['--warnings', '--local-file', file], {
        env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
      });
      expect(stderr).toBe('');
      const names = commands.flatMap(({ words, options }) => [`hostnode ${words}`.trim(), ...options]);
      const groups = commands.flatMap(({ words, below }) => (below.length > 0 ? [`hostnode ${words}`] : []));
      const wanted = [...names, ...configKeys.map(({ name }) => name)].filter(
        (name) => !groups.includes(name),
      );
      expect(wanted.length).toBeGreaterThan(50);
      expect(wanted.filter((name) => !stdout.includes(name))).toEqual([]);
      const [, codes = ''] = /^EXIT STATUS\n(.*?)^\S/ms.exec(stdout) ?? [];
      expect([...codes.matchAll(/^ +(\d+) /gm)].map(([, code]) => Number(code))).toEqual(
        Object.values(exitCode),
      );
    });

    it('completes each command and option in bash', async () => {
      const script = join(host, 'usr/share/bash-completion/completions/hostnode');
      /** What bash offers for each of these lines, asked by one bash. */
      const completeAll = async (lines: readonly (readonly string[])[]) => {
        const asked = lines.flatMap((words) => [
          `COMPREPLY=() COMP_WORDS=(hostnode ${words.map((word) => `'${word}'`).join(' ')})`,
          `COMP_CWORD=${words.length}; _hostnode; printf '%s\\n' "\${COMPREPLY[@]}" END`,
        ]);
        const said = await run('bash', '-c', [`source ${script}`, ...asked].join('\n'));
        return said.split('END\n').map((offered) => offered.split('\n').filter((word) => word !== ''));
      };
      const complete = async (...words: string[]) => (await completeAll([words]))[0];
      const lines = commands.map(({ words }) => [...(words === '' ? [] : words.split(' ')), '']);
      const offered = await completeAll(lines);
      for (const [index, { words, options, below }] of commands.entries())
        expect(offered[index]?.toSorted(), words).toEqual([...below, ...options].toSorted());
      expect(await complete('inv')).toEqual(['inventory']);
      expect(await complete('inventory', '--json', '--rep')).toEqual(['--report']);
      expect(await complete('config', 'check', '--qu')).toEqual(['--quiet']);
      expect(await complete('inventory', '--serial', '')).toEqual([]);
      expect(await complete('cloud', 'devices', 'list', '-o', '')).toEqual(['table', 'json', 'tsv']);
      expect(await complete('slots', 'learn', '-o', '/et')).toEqual(['/etc']);
      expect(await complete('cloud', 'apps', 'upload', '/et')).toEqual(['/etc']);
      expect(await complete('demo', '--story', '')).toEqual(Object.keys(stories));
    });

    const hasShells = isThere('completion in zsh and fish', { missing: without(['zsh', 'fish']) });
    it.skipIf(!hasShells)(
      'completes the names of phones, of which none is run as a command, in bash, zsh and fish',
      async () => {
        const names = ['POCO F6', 'rack 1, shelf 2', '$(touch made)', "`touch 'made'`"];
        const bin = await mkdtemp(join(folder, 'bin-'));
        await writeFile(join(bin, 'hostnode'), `#!/bin/sh\ncat <<'END'\n${names.join('\n')}\nEND\n`, {
          mode: 0o755,
        });
        // fish makes folders in its home
        const home = await mkdtemp(join(folder, 'home-'));
        const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: home };
        const shell = async (...args: [string, ...string[]]) => {
          const [program, ...rest] = args;
          const { stdout, stderr } = await execute(program, rest, { env, cwd: bin });
          expect(stderr).toBe('');
          return stdout.split('\n').filter((line) => line !== '');
        };
        const at = (path: string) => join(host, 'usr/share', path);
        const bash = [
          `source ${at('bash-completion/completions/hostnode')}`,
          `COMP_WORDS=(hostnode why '"rack'); COMP_CWORD=2; _hostnode; printf '%s\\n' "\${COMPREPLY[@]}"`,
          `COMP_WORDS=(hostnode forget ''); _hostnode; printf '%s\\n' "\${COMPREPLY[@]}"`,
          `COMP_WORDS=(hostnode inventory -s ''); COMP_CWORD=3; _hostnode; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ].join('\n');
        const inBash = await shell('bash', '-c', bash);
        expect(inBash[0]).toBe('rack 1, shelf 2');
        const offered = inBash.slice(1).filter((word) => !word.startsWith('-'));
        expect(offered).toEqual([...names.slice(0, 2), ...names.slice(0, 2)]);

        const zsh = [
          `compdef() {}; compadd() { [[ $1 == -a ]] && print -rl -- "\${(P@)2}" }`,
          `words=(hostnode why ''); CURRENT=3; source ${at('zsh/vendor-completions/_hostnode')}`,
        ].join('\n');
        expect(await shell('zsh', '-f', '-c', zsh)).toEqual(names);

        const script = at('fish/vendor_completions.d/hostnode.fish');
        const fish = (line: string) =>
          shell('fish', '--no-config', '-c', `source ${script}; complete -C '${line}'`);
        expect((await fish('hostnode note ')).toSorted()).toEqual(names.toSorted());
        const words = (await fish('hostnode slots learn --')).map((line) => line.split('\t')[0]);
        expect(words).toEqual(['--config', '--force', '--help', '--output']);
        expect(await readdir(bin)).toEqual(['hostnode']);
      },
    );

    it('shows an example of each command, with options that the command has', () => {
      for (const { words, below, options, text } of commands) {
        if (below.length > 0) continue;
        const [, example = ''] = /\nExample:\n {2}(hostnode .*)\n$/.exec(text) ?? [];
        expect(example).toMatch(new RegExp(`^hostnode ${words}\\b`));
        const used = [...example.matchAll(/ (--?[a-z][\w-]*)/g)].map(([, option]) => option);
        expect(used.filter((option) => !options.includes(option ?? ''))).toEqual([]);
      }
    });
  });

  describe('its bill of materials', () => {
    interface Bill {
      bomFormat: string;
      components: { name: string; version: string; licenses: unknown[]; purl: string }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    }
    let bill: Bill;
    beforeAll(async () => {
      bill = JSON.parse((await read('usr/share/doc/hostnode/hostnode.cdx.json')).toString());
    });

    it('lists each package that the program was made of, and the Node that runs it', async () => {
      const listed = bill.components.map(({ name }) => name);
      const imported = await importedPackages();
      expect(imported).toContain('got');
      expect(imported.filter((name) => !listed.includes(name))).toEqual([]);
      expect(listed).toContain('@sindresorhus/is'); // of got
      expect(bill.components.find(({ name }) => name === 'node')).toMatchObject({
        version: process.versions.node,
        purl: `pkg:generic/node@${process.versions.node}`,
      });
      expect(bill.components.filter(({ licenses }) => licenses.length === 0)).toEqual([]);
      expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(bill.components.length);
    });

    it('comes with the text of every licence', async () => {
      const texts = await unpacked('usr/share/doc/hostnode/bundled-licences.gz');
      const bundled = bill.components.filter(({ name }) => name !== 'node');
      expect(bundled.filter(({ name, version }) => !texts.includes(`${name} ${version} — `))).toEqual([]);
      expect(await unpacked('usr/share/doc/hostnode/node-licence.gz')).toContain(
        'Node.js is licensed for use',
      );
    });
  });
});

interface Help {
  words: string;
  options: string[];
  below: string[];
  text: string;
}

/** The commands as the program lists them; read more plainly than the package's maker does it. */
async function askHelp(parts: string[]): Promise<Help[]> {
  const program = join(inject('programFolder'), 'hostnode.cjs');
  const text = await run(process.execPath, program, ...parts, '--help');
  const first = (title: string) => {
    const [, list = ''] = text.split(`\n${title}:\n`);
    return [...(list.split('\n\n', 1)[0] ?? '').matchAll(/^ {2}(\S.*?)(?: {2,}|$)/gm)].map(
      ([, term = '']) => term,
    );
  };
  const options = [...first('Options'), ...first('Common options')].flatMap((term) =>
    term.split(/[ ,]+/).filter((word) => word.startsWith('-')),
  );
  const below = first('Commands')
    .map((term) => term.split(' ', 1)[0] ?? '')
    .filter((name) => name !== 'help');
  const further = [];
  for (const name of below) further.push(await askHelp([...parts, name]));
  return [{ words: parts.join(' '), options, below, text }, ...further.flat()];
}

/** The packages that the program's sources import, but for their types. */
async function importedPackages(): Promise<string[]> {
  const names = new Set<string>();
  for await (const path of glob('src/**/*.{ts,tsx}', { exclude: ['src/build*.ts'] })) {
    const text = await readFile(path, 'utf8');
    const imports = /^(?:import (?!type).*from|} from|import) '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm;
    for (const [, fixed, lazy] of text.matchAll(imports)) {
      const [scope = '', name = ''] = (fixed ?? lazy ?? '').split('/');
      names.add(scope.startsWith('@') ? `${scope}/${name}` : scope);
    }
  }
  return [...names].filter((name) => !name.startsWith('node:'));
}
