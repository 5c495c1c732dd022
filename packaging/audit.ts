/**
 * Looks the dependencies up among those with a known flaw, as the registry has them. Exit code 1 if a shipped one has a
 * flaw; 0 if none has, and if the registry cannot be asked, which is said. What only the development needs is named, no more.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Bundled into the page, by what only the development needs otherwise. */
export const ofThePage: readonly string[] = ['node_modules/preact', 'node_modules/uplot'];

/** The part of npm's report that we read (npm-audit(1), `--json`). */
interface Report {
  vulnerabilities?: Record<
    string,
    { severity: string; via: (string | { title: string; url: string })[]; nodes: string[] }
  >;
  message?: string;
}

type Locked = Readonly<Record<string, { dev?: boolean }>>;

/** @param packages of the lock file, by their folders */
export function judged(report: Report, packages: Locked): { lines: string[]; isFlawed: boolean } {
  const { vulnerabilities, message = 'no answer' } = report;
  if (vulnerabilities === undefined)
    return {
      lines: [`audit: the registry cannot be asked for known flaws (${message.slice(0, 200)})`],
      isFlawed: false,
    };
  const flaws = Object.entries(vulnerabilities).map(([name, { severity, via, nodes }]) => {
    const isShipped = nodes.some((folder) => packages[folder]?.dev !== true || ofThePage.includes(folder));
    const why = via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} ${each.url}`));
    return {
      isShipped,
      line: `${name}: ${severity}, ${isShipped ? 'shipped' : 'development only'}: ${why.join('; ')}`,
    };
  });
  if (flaws.length === 0) return { lines: ['audit: no dependency has a known flaw'], isFlawed: false };
  return {
    lines: flaws.map(({ line }) => `audit: ${line}`),
    isFlawed: flaws.some(({ isShipped }) => isShipped),
  };
}

function reportOf(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd, encoding: 'utf8', timeout: 120_000 });
  const { packages } = JSON.parse(readFileSync(`${cwd}package-lock.json`, 'utf8'));
  const { lines, isFlawed } = judged(reportOf(stdout ?? ''), packages);
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = isFlawed ? 1 : 0;
}
