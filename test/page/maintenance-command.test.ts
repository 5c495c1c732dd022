import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { maintenanceCommand } from '../../src/status/page/maintenance-command.ts';

/** The arguments that a shell passes on. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `hostnode() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' }).split(
    '\n',
  );

it('is a line for each phone', () => {
  expect(maintenanceCommand(['R58M1', 'emulator-5554@lab-07'])).toBe(
    "hostnode maintenance --until 2h --reason 'REASON' -- R58M1\nhostnode maintenance --until 2h --reason 'REASON' -- emulator-5554@lab-07",
  );
});

it('is one line for a shelf of which all phones are named, and one for each other phone', () => {
  const bands = [
    { name: 'rack 1, shelf 2', bays: ['A', 'B'].map((udid) => ({ name: udid, udid })) },
    { name: 'rack 1, shelf 3', bays: [{ name: 'C', udid: 'C' }, { name: 'D', udid: 'D' }, { name: 'free' }] },
    {
      name: '',
      bays: [
        { name: 'E', udid: 'E' },
        { name: 'F', udid: 'F' },
      ],
    },
  ];
  const names = maintenanceCommand(['A', 'B', 'C', 'E', 'F'], bands)
    .split('\n')
    .map((line) => line.split(' -- ')[1]);
  expect(names).toEqual(["'rack 1, shelf 2'", 'C', 'E', 'F']);
});

it.each(["it's; rm -rf ~", '$(reboot)', '--end', '`id` "x" \\', "a'\"'b"])(
  'hands a shell the udid %s as one argument',
  (udid) => {
    expect(argumentsOf(maintenanceCommand([udid]))).toEqual([
      ...['maintenance', '--until', '2h', '--reason', 'REASON', '--', udid],
      '',
    ]);
  },
);
