import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { holderOf } from '../../src/host/tcp-listeners.ts';

it('names a program of Node that holds a port', async () => {
  const listen = "const s = require('net').createServer().listen(0, () => console.log(s.address().port))";
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [port] = await once(child.stdout, 'data');
  expect(await holderOf(Number(port))).toBe(`node (process ${child.pid})`);
});
