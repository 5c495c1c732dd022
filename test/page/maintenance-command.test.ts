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

it.each(["it's; rm -rf ~", '$(reboot)', '--end', '`id` "x" \\', "a'\"'b"])(
  'hands a shell the udid %s as one argument',
  (udid) => {
    expect(argumentsOf(maintenanceCommand([udid]))).toEqual([
      ...['maintenance', '--until', '2h', '--reason', 'REASON', '--', udid],
      '',
    ]);
  },
);
