/**
 * A minimal Debian for a guest to run, with systemd, adb, and what simulated phones need, and what
 * Ansible needs (ssh does not run by itself): built once, kept outside the tree, never written to.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { without } from '../support/machine-needs.ts';

/** What is built once for all tests. */
export const CACHE = process.env.HOSTNODE_TEST_CACHE ?? '/var/cache/hostnode-test';
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'udev', 'adb', 'umockdev', 'mksh', 'toybox'].concat([
  'openssh-server',
  'python3',
  'python3-apt',
]);

/** What this machine lacks to boot a guest. */
export function missingForGuest(): string[] {
  const tools = ['systemd-nspawn', 'debootstrap', 'nsenter', 'systemd-analyze'];
  return [
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...without(tools),
    ...(codename() === undefined ? ['Debian'] : []),
  ];
}

/** What this machine does not let its root do, although a guest needs it: no package mends that. */
export function forbiddenForGuest(): string[] {
  const namespaces = spawnSync('unshare', ['-m', '-u', '-i', '-n', '-p', '--fork', 'true'], {
    stdio: 'ignore',
  });
  const fileSystems = existsSync('/proc/filesystems') ? readFileSync('/proc/filesystems', 'utf8') : '';
  return [
    ...(namespaces.status === 0 ? [] : ['namespaces of its own']),
    ...(/\tcgroup2$/m.test(fileSystems) ? [] : ['cgroup2']),
  ];
}

/** The release of this machine, where it is a Debian. */
function codename(): string | undefined {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID=debian$/m.test(release) ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined;
}

/** The mirror that this machine takes its own packages from. */
function mirror(release: string): string {
  const targets = execFileSync(
    'apt-get',
    ['indextargets', '--format', '$(RELEASE) $(COMPONENT) $(REPO_URI)', 'Created-By: Packages'],
    { encoding: 'utf8' },
  );
  const [, address] = new RegExp(`^${release} main (\\S+)$`, 'm').exec(targets) ?? [];
  if (address === undefined) throw new Error(`no source of ${release} main is configured (apt-get update?)`);
  return address;
}

/** Builds the root $1 unless somebody has done so meanwhile: $2 release, $3 mirror. */
const BUILD = `
  test -d "$1" && exit
  rm -rf "$1.new" && trap 'rm -rf "$1.new"' EXIT
  debootstrap --variant=minbase --include=${PACKAGES.join(',')} "$2" "$1.new" "$3" >/dev/null &&
  systemctl --quiet --root="$1.new" disable ssh.service 2>/dev/null &&
  rm -f "$1.new/etc/machine-id" && systemd-machine-id-setup --root="$1.new" 2>/dev/null &&
  mkdir -p "$1.new/var/log/journal" && mv "$1.new" "$1"`;

/**
 * The root's folder; half a minute where it has to be built first.
 *
 * @param release of Debian; without it, that of this machine
 */
export function guestRoot(release = codename() ?? ''): string {
  const kind = createHash('sha256').update(BUILD).digest('hex').slice(0, 8);
  const folder = join(CACHE, `${release}-${process.arch}-${kind}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const arguments_ = ['-c', BUILD, 'sh', folder, release, mirror(codename() ?? '')];
  execFileSync('flock', [`${folder}.lock`, 'sh', ...arguments_], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}
