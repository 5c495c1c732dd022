import { describe, expect, it } from 'vitest';
import { flagsOf, inputFrom, lowered, positionalsOf, problemInFlags } from '../../../src/cli/cloud/flags.ts';
import { contract, operations } from '../../../src/cloud/contract/index.ts';
import { inputsOf } from '../../../src/cloud/contract/inputs.ts';
import { CloudArgumentError } from '../../../src/cloud/errors.ts';
import { prepare } from '../../../src/cloud/request.ts';

const { apps, devices, gestures, dataSets, v2, organization } = contract;
const noFile = () => Promise.reject(new Error('no file was named'));

/** What the command line of commander itself and all commands have. */
const COMMON = ['--help', '--output', '--dry-run', '--profile', '--config', '--yes', '--body', '--method'];

describe('the flags of every operation', () => {
  it.each(operations.map((operation) => [operation.command.join(' '), operation] as const))(
    '%s: each input has one place, and no flag two meanings',
    (_, operation) => {
      const flags = flagsOf(operation);
      const names = flags.map(({ option }) => option.long);
      expect(new Set([...names, ...COMMON]).size).toBe(names.length + COMMON.length);
      const reached = [...positionalsOf(operation), ...flags].map(({ input }) => input.name);
      expect(new Set(reached)).toEqual(new Set(inputsOf(operation).map(({ name }) => name)));
      for (const { option } of flags) expect(option.flags).toMatch(/^--[a-z][a-z0-9-]* [<[]\w+[>\]]$/);
    },
  );

  it('no two operations share a command', () => {
    const commands = operations.map(({ command }) => command.join(' '));
    expect(new Set(commands).size).toBe(commands.length);
  });
});

describe('flagsOf', () => {
  const terms = (operation: Parameters<typeof flagsOf>[0]) =>
    flagsOf(operation).map(({ option }) => option.flags);

  it('names them as people say it', () => {
    expect(terms(devices.list)).toEqual(
      expect.arrayContaining(['--booked [boolean]', '--platform-version <text>', '--group-id <id>']),
    );
    expect(terms(v2.createMember)).toEqual(
      expect.arrayContaining(['--enable-sso [boolean]', '--first-name <text>']),
    );
  });

  it('takes long texts and JSON from files too', () => {
    expect(terms(gestures.save)).toEqual(['--command <text>', '--command-file <file>']);
    expect(terms(dataSets.createByCommand)).toEqual([
      '--data-set-actions <json>',
      '--data-set-actions-file <file>',
    ]);
  });
});

describe('positionalsOf', () => {
  it('has lists last, and what a body of one’s own may replace is optional', () => {
    const terms = (operation: Parameters<typeof positionalsOf>[0]) =>
      positionalsOf(operation).map(({ argument }) => {
        const words = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? `<${words}>` : `[${words}]`;
      });
    expect(terms(apps.assignTeams)).toEqual(['<app-id>', '<team-ids...>']);
    expect(terms(v2.terminateReservations)).toEqual(['[reservation-ids...]']);
    expect(terms(devices.get)).toEqual(['<device-udid>']);
  });
});

describe('inputFrom', () => {
  it('makes values of texts', async () => {
    const given = {
      booked: 'false',
      online: true,
      platformVersion: ['14', '15,16'],
      groupId: '3',
      profile: 'lab',
    };
    expect(await inputFrom(devices.list, [], given, noFile)).toEqual({
      isBooked: false,
      isOnline: true,
      platformVersion: ['14', '15', '16'],
      groupId: 3,
    });
    expect(await inputFrom(apps.assignTeams, ['12', ['3', '4']], {}, noFile)).toEqual({
      appId: 12,
      teamIds: [3, 4],
    });
  });

  it('reads the files that are named', async () => {
    const read = async (name: string) => `the text of ${name}`;
    expect(await inputFrom(gestures.save, ['swipe'], { commandFile: '-' }, read)).toEqual({
      name: 'swipe',
      command: 'the text of -',
    });
  });

  it('leaves nonsense to the contract, which says what is allowed in the words of the command line', async () => {
    const problems = async (operation: Parameters<typeof inputFrom>[0], texts: string[][], given: object) => {
      const input = await inputFrom(operation, texts, given as never, noFile);
      try {
        prepare(operation, input as never);
      } catch (error) {
        if (error instanceof CloudArgumentError)
          return error.problems.map((problem) => problemInFlags(operation, problem));
        throw error;
      }
      return [];
    };
    expect(await problems(apps.delete, [['12', 'x']], {})).toEqual([
      '<app-ids> = "x": must be a whole number above 0',
    ]);
    expect(await problems(devices.list, [], { booked: 'maybe', groupId: '0' })).toEqual([
      '--group-id = 0: must be a whole number above 0',
      '--booked = "maybe": must be true or false',
    ]);
    expect(await problems(organization.createMember, [], { password: 's3cret\u0007' })).toEqual([
      expect.stringMatching(/^<email> is missing: must be/),
    ]);
    expect(await problems(v2.createMember, [], { email: 'a@b', username: 'a' })).toEqual([
      'give either password or --enable-sso: true, not both',
    ]);
    expect(
      await problems(dataSets.updateByCommand, [['8']], { dataSetActions: '[{"commandId":1}]' }),
    ).toEqual(['--data-set-actions[0].value is missing: must be text']);
  });
});

describe('lowered', () => {
  it('takes the capital of a sentence, not of a name', () => {
    expect(lowered('List the apps')).toBe('list the apps');
    expect(lowered("The app's id")).toBe("the app's id");
    expect(lowered('APK or IPA')).toBe('APK or IPA');
  });
});
