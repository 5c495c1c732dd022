/** A process that takes the lock of the directory in argv when told on stdin, says how that went, and stays. */
import { hasCode } from '../../src/base/errors.ts';
import { lockStateDirectory } from '../../src/host/lock.ts';

const [, , dir = ''] = process.argv;
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  try {
    await lockStateDirectory(dir);
    process.stdout.write('locked\n');
  } catch (error) {
    process.stdout.write(hasCode(error, 'STATE_LOCKED') ? 'refused\n' : `${error}\n`);
  }
});
