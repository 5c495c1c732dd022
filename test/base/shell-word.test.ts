import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { quoted } from '../../src/base/shell-word.ts';

it('a shell reads each word as it was', () => {
  for (const word of ['R58M1', 'emulator-5554@lab', "it's; rm -rf $HOME", '`x` "y" \\z', '', '🔧\n\t'])
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word);
});
