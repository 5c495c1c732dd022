import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { parseRoot, parseSuVersion, parseUid, root } from '../../src/facts/root.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const id = 'uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input) context=u:r:shell:s0\n';
const noSu = '/system/bin/sh: su: inaccessible or not found\n';
const aospSu = "su: invalid uid/gid '-v'\n";

describe('parseUid', () => {
  it.each(samples('su_id'))('reads whether $command runs as root', ({ file, text, expected }) => {
    expectFacts(file, parseUid(text) === 0, expected.root);
  });

  it('reads the bare number of newer phones', () => {
    expect(parseUid('2000\r\n')).toBe(2000);
  });

  it('reads a user without a name', () => {
    expect(parseUid('uid=0 gid=0\n')).toBe(0);
    expect(parseUid('uid=10123 gid=10123 groups=3003(inet)\n')).toBe(10123);
  });

  it('reads no user from a complaint', () => {
    expect(parseUid('sh: id: not found')).toBeUndefined();
  });
});

describe('parseSuVersion', () => {
  it.each([
    '27.0:MAGISKSU',
    '1.0.1:KernelSU',
    '2.82:SUPERSU',
    '3.1.1',
    '16 com.koushikdutta.superuser',
    '16 cm-su subind suinit',
    '16 me.phh.superuser cm-su',
    '16 com.android.settings',
    '3.43:kinguser_su',
    'kingo 13',
    'Venom SuperUser v21',
    '360.cn es 1.6.0.6',
    '11039:APatch',
  ])('knows the root manager that answers %s', (text) => {
    expect(parseSuVersion(`${text}\n`)).toBe('manager');
  });

  it.each([noSu, 'sh: su: not found\n', 'su: not found', 'bash: su: command not found'])(
    'sees in %j that there is no su',
    (text) => {
      expect(parseSuVersion(text)).toBe('missing');
    },
  );

  it.each([aospSu, '', 'sh: su: can’t execute: Permission denied\n', 'su: not allowed\n'])(
    'sees in %j a su that does not say who it is',
    (text) => {
      expect(parseSuVersion(text)).toBe('other');
    },
  );
});

describe('parseRoot', () => {
  it('calls a phone rooted when adbd itself runs as root', () => {
    expect(parseRoot({ id: 'uid=0(root) gid=0(root)\n', version: noSu, su: '' })).toEqual({ isRooted: true });
  });

  it('calls a phone rooted when a root manager answers', () => {
    expect(parseRoot({ id, version: '27.0:MAGISKSU\n', su: '' })).toEqual({ isRooted: true });
  });

  it('calls a debuggable phone rooted when its own su makes root', () => {
    expect(parseRoot({ id, version: aospSu, su: '0\n' })).toEqual({ isRooted: true });
    expect(parseRoot({ id, version: '', su: 'uid=0(root) gid=0(root)\n' })).toEqual({ isRooted: true });
  });

  it('calls a phone without su and with an unprivileged adbd not rooted', () => {
    expect(parseRoot({ id, version: noSu, su: '' })).toEqual({ isRooted: false });
  });

  it('does not know of a su that stays silent or hangs', () => {
    expect(parseRoot({ id, version: '', su: '' })).toEqual({});
    expect(parseRoot({ id })).toEqual({});
  });

  it('throws ParseError when nothing can be read', () => {
    expect(() => parseRoot({ id: 'sh: id: not found', version: noSu })).toThrow(ParseError);
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    const texts = [id, noSu, aospSu, '27.0:MAGISKSU\n'];
    const parse = (text: string) => parseRoot({ id: text, version: text, su: text });
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parse, text)));
    for (const text of [...texts, '1', ' ', ': ']) expectOnlyParseErrors(parse, huge(text));
  });
});

describe.skipIf(!hasPhoneShell)('the command that tries su', () => {
  const command = root.commands().su;
  const debuggable = { getprop: '[ $1 = ro.debuggable ] && echo 1' };
  const su = (version: string) => `if [ "$1" = -v ]; then ${version}; else echo "asked: $*"; fi`;

  it('runs AOSP’s su on a debuggable build', () => {
    const newer = su(`echo "su: invalid uid/gid '-v'" >&2; exit 1`);
    expect(askPhone(command, { ...debuggable, su: newer })).toBe('asked: 0 id -u\n');
    expect(askPhone(command, { ...debuggable, su: su(':') })).toBe('asked: 0 id -u\n');
  });

  it('never runs a root manager, which would raise a dialog', () => {
    for (const version of [
      '27.0:MAGISKSU',
      '2.82:SUPERSU',
      '3.1.1',
      '1.0.1:KernelSU',
      'su: invalid option -- v',
    ]) {
      expect(askPhone(command, { ...debuggable, su: su(`echo ${version}`) })).toBe('');
    }
  });

  it('runs nothing if the build is not debuggable or has no su', () => {
    expect(askPhone(command, { getprop: 'echo 0', su: su(':') })).toBe('');
    expect(askPhone(command, debuggable)).toBe('');
  });

  it('leaves the words of a missing su to be read', () => {
    const version = askPhone(root.commands().version, {});
    expect(parseRoot({ id, version, su: '' })).toEqual({ isRooted: false });
  });
});
