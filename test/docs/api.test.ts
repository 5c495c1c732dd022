import { describe, expect, it } from 'vitest';
import { apiPage } from '../../packaging/api-page.ts';
import { operations } from '../../src/cloud/contract/index.ts';
import * as errors from '../../src/cloud/errors.ts';
import { codeBlocks, codeSpans, readText, rows, section } from './pages.ts';

describe('docs/api.md', () => {
  it('is made from the contract (vitest -u writes it anew)', async () => {
    await expect(apiPage()).toMatchFileSnapshot('../../docs/api.md');
  });

  it('has a line of TypeScript and a line of shell for each operation', () => {
    for (const { id, command } of operations) {
      const text = section('docs/api.md', `### ${id}`);
      expect(codeBlocks(text, 'ts')).toEqual([expect.stringContaining(`client.${id}(`)]);
      const [line = ''] = codeBlocks(text, 'sh');
      expect(line).toMatch(
        id === 'devices.report' ? /^hostnode inventory/ : `hostnode cloud ${command.join(' ')}`,
      );
    }
  });

  it('names all classes of errors', () => {
    const named = rows(section('docs/api.md', '## TypeScript')).flatMap(([names = '']) => codeSpans(names));
    const concrete = Object.keys(errors).filter((name) => name !== 'CloudError');
    expect(named.toSorted()).toEqual(concrete.toSorted());
  });

  it('shows no password', () => {
    expect(codeBlocks(readText('docs/api.md'), 'sh').join('\n')).not.toMatch(/--password|correct horse/);
  });
});
