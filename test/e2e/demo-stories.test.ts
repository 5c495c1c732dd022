import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stories } from '../../src/demo/stories.ts';
import type { HostStatus, Why } from '../../src/status/host-status.ts';
import { hostnode, Program, programFile } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';

/** What each story that ships shows, and by which name `why` tells of it. */
const shown = {
  'dying-hub': { codes: ['HUB_LOST', 'HUB_UNSTABLE'], name: 'rack 1, shelf 2, bay 1', words: 'hub 1-4' },
  'bad-cable': { codes: ['PORT_UNSTABLE'], name: 'BAY-4', words: 'rack 1, shelf 2, bay 4' },
  'hot-shelf': {
    codes: ['BATTERY_HOT', 'BATTERY_FULL_AND_HOT', 'ROOM_WARM'],
    name: 'HOT-1',
    words: 'HOT-1',
  },
};

/** Plays a story; `ask` runs a command against its agent. */
async function play(story: string) {
  const folder = await temporaryFolder();
  const demo = new Program([process.execPath, programFile(), 'demo', '--story', story], { TMPDIR: folder });
  await expect.poll(() => demo.stdout).toContain('cloud: PUT /v1/devices with');
  const [state = ''] = await readdir(folder);
  const ask = async <T>(...args: string[]): Promise<T> => {
    const socket = join(folder, state, 'hostnode.sock');
    const { stdout, stderr } = await hostnode([...args, '--json', '--socket', socket]);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  return { demo, ask };
}

describe.each(Object.entries(shown))('the story %s', (story, { codes, name, words }) => {
  it('ends with what it tells of: in the log, in status and in why', async () => {
    const { demo, ask } = await play(story);
    for (const code of codes)
      await expect
        .poll(() => demo.stdout, { timeout: 60_000 })
        .toMatch(new RegExp(`finding (?:began|goes on) .*\\b${code}\\b`));
    const { findings = [], phones } = await ask<HostStatus>('status');
    expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
    expect(findings.map(({ code }) => code).filter((code) => !codes.includes(code))).toEqual([]);
    const why = await ask<Why>('why', name);
    expect(why.findings.map(({ code }) => code)).toContain(codes[0]);
    expect(JSON.stringify(why)).toContain(words);
    expect(phones.every(({ slot }) => slot?.startsWith('rack 1, '))).toBe(true);
    expect(await demo.end('SIGINT')).toEqual({ code: 0 });
    expect(demo.stderr).toBe('');
  });
});

it('every story that ships is played here', () => {
  expect(Object.keys(shown)).toEqual(Object.keys(stories));
});

it('a story of one’s own is a file: reboot, battery, note, adb; a wrong one is refused with its line', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'day.yaml');
  await writeFile(
    file,
    `title: A day
phones:
  - { serial: MINE-1, port: 1-4.1, slot: bay 1, like: POCO F6, percent: 50 }
past:
  - { ago: 2d, do: note, on: MINE-1, text: swapped the cable }
happenings:
  - { at: 1s, do: note, on: bay 1, text: looks good }
  - { at: 1s, do: battery, percent: 9 }
  - { at: 2s, do: reboot }
  - { at: 10s, do: restart adb }
`,
  );
  const { demo, ask } = await play(file);
  const why = () => ask<Why>('why', 'MINE-1');
  await expect
    .poll(async () => (await why()).timeline.map(({ kind }) => kind))
    .toEqual(expect.arrayContaining(['note', 'rebooted']));
  expect(JSON.stringify((await why()).timeline)).toContain('note by the story: swapped the cable');
  expect(JSON.stringify((await why()).timeline)).toContain('note by the story on bay 1: looks good');
  await expect.poll(async () => (await ask<HostStatus>('status')).phones[0]?.battery?.levelRatio).toBe(0.09);
  expect(await demo.end('SIGINT')).toEqual({ code: 0 });

  await writeFile(
    file,
    'title: x\nphones:\n  - { serial: A, port: 1-1 }\nhappenings:\n  - { at: 5, do: unplug }\n',
  );
  expect(await hostnode(['demo', '--story', file])).toEqual({
    code: 2,
    stdout: '',
    stderr: `hostnode: ${file}:5: happenings.1.at: must be a time such as 5s, 10m, 2h or 6d\n`,
  });
});
