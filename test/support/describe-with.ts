/** Groups of tests that need something of the machine; `machine-needs.ts` says what happens where it is missing. */
import { architectures } from '../../packaging/architecture.ts';
import { missingTools } from '../rig/android-root.ts';
import { forbiddenForGuest, missingForGuest } from '../systemd/guest-root.ts';
import { forbiddenForLab, missingForLab } from '../usb/lab-root.ts';
import { describeWhere, isThere, pathOf, without } from './machine-needs.ts';

type Tests = () => void;

/** With the rig. */
export const describeWithRig = (title: string, tests: Tests): void =>
  describeWhere(title, { missing: missingTools() }, tests);

/** With a real systemd, booted. */
export const describeWithSystemd = (title: string, tests: Tests): void =>
  describeWhere(title, { missing: missingForGuest(), forbidden: forbiddenForGuest }, tests);

/**
 * Within how many seconds from the start a test of the project `usb` may begin: HOSTNODE_TEST_USB, `all` or a number; in CI,
 * unless it is told otherwise, none.
 */
export const usbSeconds = secondsForUsb(process.env.HOSTNODE_TEST_USB ?? (process.env.CI ? '0' : 'all'));

function secondsForUsb(said: string): number {
  const seconds = said === 'all' ? Infinity : Number(said);
  if (Number.isNaN(seconds)) throw new Error(`HOSTNODE_TEST_USB=${said}: neither all nor seconds`);
  return seconds;
}

/** With a machine that has a kernel and a USB bus of its own, and phones on it. */
export const describeWithUsb = (title: string, tests: Tests): void =>
  describeWhere(
    title,
    {
      missing: missingTools(),
      forbidden: () => [
        ...(usbSeconds > 0 ? [] : ['HOSTNODE_TEST_USB, in CI']),
        ...[...missingForLab(), ...forbiddenForLab(), ...forbiddenForGuest()],
      ],
    },
    tests,
  );

const CONTAINER_TOOLS = ['buildah', 'podman', 'crun', 'unshare', 'tar', 'npm'];

/** With real containers; the base image is made of the guests' root. */
export const describeWithContainers = (title: string, tests: Tests): void =>
  describeWhere(
    title,
    { missing: [...missingForGuest(), ...without(CONTAINER_TOOLS)], forbidden: forbiddenForGuest },
    tests,
  );

/** With kubectl, which makes manifests of kustomizations; no cluster. */
export const describeWithKubectl = (title: string, tests: Tests): void =>
  describeWhere(title, { missing: without(['kubectl']) }, tests);

const { strip = 'strip' } = architectures[process.arch] ?? {};

/** With the tools that make a Debian package and judge it. */
export const describeWithPackageTools = (title: string, tests: Tests): void =>
  describeWhere(title, { missing: without(['dpkg-deb', 'lintian', 'man', 'git', strip]) }, tests);

/** With a host with systemd on which a package is installed. */
export const describeWithPackageHost = (title: string, tests: Tests): void =>
  describeWithPackageTools('the Debian package', () => describeWithSystemd(title, tests));

/** With the same on Debian 12 and 13, and the tools that make and sign an apt repository. */
export function describeWithRepository(title: string, tests: (release: string) => void): void {
  const missing = without(['apt-ftparchive', 'gpg', 'gpgconf']);
  for (const release of ['bookworm', 'trixie'])
    describeWhere(`an apt repository for ${release}`, { missing }, () =>
      describeWithPackageHost(title, () => tests(release)),
    );
}

const ANSIBLE_TOOLS = ['ansible-playbook', 'ansible-vault', 'ssh', 'ip', 'apt-ftparchive', 'gpg', 'gpgconf'];

/** With booted hosts on a network of their own, a signed repository, and Ansible. */
export const describeWithAnsible = (title: string, tests: Tests): void =>
  describeWhere('Ansible', { missing: without(ANSIBLE_TOOLS) }, () => describeWithPackageHost(title, tests));

/** With Ansible's programs and its linter, and no hosts. */
export const describeWithAnsibleLint = (title: string, tests: Tests): void =>
  describeWhere(title, { missing: without(['ansible-lint', 'ansible-inventory']) }, tests);

/** A loaded machine is slow, ms. */
export const PATIENCE_MS = 60_000;

/**
 * Where Chromium is; undefined where it is not installed. The shell without a window is the same engine, and opens a page
 * at a third of the work.
 */
export const chromiumPath = (): string | undefined => pathOf('chromium-headless-shell') ?? pathOf('chromium');

const missingChromium = () => (chromiumPath() === undefined ? ['chromium-headless-shell'] : []);

/** With Chromium. */
export const describeWithChromium = (title: string, tests: Tests): void =>
  describeWhere(title, { missing: missingChromium() }, tests);

/** For a part of a test that needs Chromium. */
export const hasChromium = (title: string): boolean => isThere(title, { missing: missingChromium() });
