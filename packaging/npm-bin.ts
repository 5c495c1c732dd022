/** The program of the npm package: `npx hostnode cloud` and `npx hostnode sandbox`, without the agent. */
import { oldNode } from '../src/base/old-node.ts';

const problem = oldNode();
if (problem === undefined) void start();
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 78;
}

async function start(): Promise<void> {
  const [{ config }, { addCloudCommands }, { cloudFailure }, { newProgram, runProgram }] = await Promise.all([
    import('zod'),
    import('../src/cli/cloud/commands.ts'),
    import('../src/cli/cloud/refusals.ts'),
    import('../src/cli/program.ts'),
  ]);
  config({ jitless: true });

  const program = newProgram().description('Client and sandbox for the API of a device cloud.');
  addCloudCommands(program.command('cloud').description('use the API of the device cloud'));
  program
    .command('sandbox')
    .description('serve a device cloud on this machine, with all operations of the API, to try things out')
    .option('-p, --port <number>', 'port on 127.0.0.1 (default: any free one)', Number)
    .option('--data <file>', 'keep everything in this SQLite file (default: nothing is kept)')
    .option('--seed <file>', 'JSON file: what it has at its start, unless --data has something already')
    .option('--control', 'also serve /control, where tests change anything without credentials')
    .choice('--gestures <shape>', 'answer of GET /gestures (default: array)', 'array object')
    .option('--json', 'print where it is and its users as one line of JSON')
    .example('--port 8080')
    .action(async (options) => (await import('../src/cli/sandbox.ts')).sandbox(options));
  runProgram(program, cloudFailure);
}
