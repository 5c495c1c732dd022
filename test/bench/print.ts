/** The results as text for a terminal, or as Markdown. */
import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { pathOf } from '../support/programs.ts';
import { limitOf, type Result } from './comparison.ts';
import { type Goal, goalLine, isMet, rounded } from './goals/goal.ts';

const MB = 1024 * 1024;

const headings = [
  'phones',
  'ms/request',
  'hung',
  'who',
  'wall',
  'CPU',
  'requests',
  'connections',
  'peak memory',
];

const rowOf = (limitMs: number, result: Result): string[] => {
  const { phones, delayMs, hung, contestant, taken, requests, connections } = result;
  const head = [String(phones), String(delayMs), String(hung), contestant];
  if (taken === undefined) return [...head, `> ${limitOf(result, limitMs) / 1000} s`, '', '', '', ''];
  return [
    ...head,
    `${rounded(taken.wallMs / 1000)} s`,
    `${rounded(taken.cpuMs / 1000)} s`,
    rounded(requests),
    rounded(connections),
    `${Math.round(taken.peakBytes / MB)} MB`,
  ];
};

export function comparisonText(results: readonly Result[], limitMs: number, isMarkdown: boolean): string {
  const rows = [headings, ...results.map((result) => rowOf(limitMs, result))];
  if (isMarkdown) {
    const lines = rows.map((row) => `| ${row.join(' | ')} |`);
    return [lines[0], `|${headings.map(() => '---').join('|')}|`, ...lines.slice(1)].join('\n');
  }
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function goalsText(goals: readonly Goal[], isMarkdown: boolean): string {
  if (!isMarkdown) return goals.map(goalLine).join('\n');
  const rows = goals.map((goal) => {
    const { what, value, unit, atMost, atLeast } = goal;
    const bound = atMost === atLeast ? `${atMost}` : atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    return `| ${what} | ${rounded(value)} ${unit} | ${bound} | ${isMet(goal) ? 'yes' : 'no'} |`;
  });
  return ['| what | measured | goal | met |', '|---|---|---|---|', ...rows].join('\n');
}

/** What it was measured on. */
export function machineText(): string {
  return [
    `${cpus().length} cores (${cpus()[0]?.model.trim()})`,
    `${Math.round(totalmem() / MB / 1024)} GB`,
    `${type()} ${release().split('-', 1)[0]}`, // what follows is the machine's own
    `Node ${process.versions.node}`,
    pathOf('adb') === undefined ? 'no adb' : `adb ${adbVersion()}`,
  ].join(', ');
}

function adbVersion(): string {
  const text = execFileSync('adb', ['version'], { encoding: 'utf8' });
  return /^Version (\S+)/m.exec(text)?.[1] ?? 'of unknown version';
}

export const legend = [
  'hostnode: `hostnode inventory --json`, the built program: 13 sections of facts of each phone.',
  'appium-device-farm: its discovery through appium-adb: five short questions of each phone, phone after phone.',
  'adbkit: the four questions of DeviceHub’s worker, one after the other.',
  'adb: five questions of each phone by the adb command, from a shell script.',
  'All ask the same simulated adb server, which waits so many ms before each answer; its own cost is not counted.',
  'wall, CPU: seconds until the program has ended, and of all its processes together, its start included.',
  'requests, connections: to the adb server, for each phone. Peak memory: of all processes of the program at a time.',
  'hung: one of the phones opens its shells and says nothing; hostnode gives it up after 30 s and prints the',
  'others; appium-device-farm ends without any when a command has not ended within 20 s. “> n s”: not ended by then.',
].join('\n');
