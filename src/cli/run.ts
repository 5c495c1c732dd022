/** `hostnode run`: stays, follows the phones and reports them. */
import { configurationIsRead } from '../base/early-signals.ts';
import { exitCode } from '../base/exit-code.ts';
import { lackOf } from '../base/limits.ts';
import { Daemon } from '../daemon/daemon.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { CommandError, fail } from './terminal.ts';

export async function run(options: ConfigOptions): Promise<void> {
  process.title = 'hostnode'; // what systemd and ps call it
  process.umask(0o077);
  const lack = lackOf(); // before the first file is read by a thread of libuv's
  if (lack !== undefined) throw new CommandError(exitCode.system, lack);
  configurationIsRead();
  const refusal = await new Daemon(await loadFor(options), options.config).run();
  if (refusal !== undefined) fail(refusal.exitCode, refusal.message);
  process.exit(); // log lines that nobody reads would keep the process
}
