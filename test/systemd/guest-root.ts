/** A minimal Debian with systemd and adb for a guest to run: built once, kept outside the tree, never written to. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = process.env.HOSTNODE_TEST_CACHE ?? '/var/cache/hostnode-test';
const PACKAGES = 'systemd,systemd-sysv,dbus,udev,adb';

/** What this machine lacks to boot a guest. */
export function missingForGuest(): string[] {
  const tools = ['systemd-nspawn', 'debootstrap', 'nsenter', 'systemd-analyze'];
  const folders = (process.env.PATH ?? '').split(':').concat('/usr/sbin', '/sbin');
  return [
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...tools.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool)))),
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

/** The root's folder; half a minute where it has to be built first. */
export function guestRoot(): string {
  const release = codename() ?? '';
  const folder = join(CACHE, `${release}-${process.arch}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  try {
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
    execFileSync(
      'debootstrap',
      ['--variant=minbase', `--include=${PACKAGES}`, release, building, mirror(release)],
      { env, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    rmSync(join(building, 'etc/machine-id'), { force: true });
    execFileSync('systemd-machine-id-setup', [`--root=${building}`], { stdio: 'ignore' });
    mkdirSync(join(building, 'var/log/journal'), { recursive: true });
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return folder;
}
