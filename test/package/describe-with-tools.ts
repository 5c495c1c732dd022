import { architectures } from '../../packaging/architecture.ts';
import { describeWhere, without } from '../machine-needs.ts';
import { describeWithSystemd } from '../systemd/describe-with-systemd.ts';

const { strip = 'strip' } = architectures[process.arch] ?? {};

/** A group of tests that make a Debian package and judge it. */
export const describeWithTools = (title: string, tests: () => void): void =>
  describeWhere(title, { missing: without(['dpkg-deb', 'lintian', 'man', 'git', strip]) }, tests);

/** A group of tests that make a package and install it on a host with systemd. */
export const describeWithHost = (title: string, tests: () => void): void =>
  describeWithTools('the Debian package', () => describeWithSystemd(title, tests));
