import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capture } from '../../src/cli/inspect/capture.ts';
import { readCaptured } from '../../src/demo/captured.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { meet } from '../support/encounter.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hostnode-captured-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const info = {
  ...{ serial: 'ABC1', state: 'device', sdk: 30, capturedOn: '2026-01-31', hostnode: '1.0.0' },
  ...{ exitCodes: {}, unanswered: {} },
};

function write(name: string, changes: object | string = {}, files: Record<string, string> = {}): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  const text = typeof changes === 'string' ? changes : JSON.stringify({ ...info, ...changes });
  writeFileSync(join(folder, 'phone.json'), text);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

describe('captured phones', () => {
  it('give the facts that the phone gave when it was captured', async () => {
    const online = recordings.filter(({ state }) => state === 'device').slice(0, 3);
    for (const recording of online)
      await capture(await meet(new SimulatedPhone(recording)), { directory, known: [], now: new Date() });
    const played = await readCaptured(directory);
    const factsOf = async (phones: typeof played) =>
      (await Promise.all(phones.map((phone) => meet(new SimulatedPhone(phone)))))
        .map(({ snapshot }) => snapshot?.facts)
        .map((facts) => ({ battery: facts?.battery, memory: facts?.memory, screen: facts?.screen }))
        .map((facts) => JSON.stringify(facts))
        .sort();
    expect(await factsOf(played)).toEqual(await factsOf([...online]));
    expect(new Set(played.map(({ devpath }) => devpath)).size).toBe(3);
  });

  it('keep exit codes, and have no port where they are on no cable', async () => {
    write('a', { exitCodes: { 'root.su': 127 } }, { 'root.su.txt': 'not found\n', 'notes.md': 'x' });
    write('b', { serial: '10.0.0.7:5555' }, { 'root.su.txt': 'uid=0' });
    expect(await readCaptured(directory)).toEqual([
      expect.objectContaining({
        ...{ title: 'a', serial: 'ABC1', devpath: '1-1.1', sdk: 30 },
        answers: { 'root.su': { lines: ['not found'], exitCode: 127 } },
      }),
      expect.not.objectContaining({ devpath: expect.anything() }),
    ]);
  });

  it.each([
    ['no folder', () => {}, /: holds no folder of a phone; hostnode inventory --capture makes them$/],
    ['no phone.json', () => mkdirSync(join(directory, 'x')), /x\/phone\.json: is not there$/],
    ['no JSON', () => write('x', '{'), /x\/phone\.json: is not JSON$/],
    [
      'a serial of two lines',
      () => write('x', { serial: 'a\nb' }),
      /phone\.json: serial: must be one word of/,
    ],
    ['another state', () => write('x', { state: '\u001b[2J' }), /phone\.json: state: must be a word of adb/],
    ['a bad exit code', () => write('x', { exitCodes: { a: -1 } }), /phone\.json: exitCodes\.a: Too small/],
    [
      'a link',
      () => symlinkSync('/etc/passwd', join(write('x'), 'a.b.txt')),
      /x\/a\.b\.txt: is not a plain file$/,
    ],
    [
      'a huge answer',
      () => write('x', {}, { 'a.b.txt': 'x'.repeat(2_097_153) }),
      /a\.b\.txt: has over 2 MB$/,
    ],
    [
      'the same serial twice',
      () => [write('x'), write('y')],
      /y\/phone\.json: serial ABC1 is that of another folder too$/,
    ],
  ])('with %s are refused: the error names the file and what is wrong', async (_, make, problem) => {
    make();
    await expect(readCaptured(directory)).rejects.toThrow(problem);
  });
});
