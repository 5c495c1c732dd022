/**
 * What the lab's machine boots: Debian's kernel, an initial RAM disk that mounts the disk, and a layer over the guests' root
 * with the kernel's modules and podman. Built once, kept outside the tree, never written to.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { without } from '../support/machine-needs.ts';
import { guestRoot, missingForGuest } from '../systemd/guest-root.ts';

/** What this machine lacks to boot the lab's. */
export const missingForLab = (): string[] => [
  ...missingForGuest(),
  ...without(['qemu-system-x86_64', 'mkfs.ext4', 'podman']),
];

export const forbiddenForLab = (): string[] => (process.arch === 'x64' ? [] : ['an x64 processor']);

/** First of all: what the disk needs, and the disk. */
const INIT = `#!/bin/busybox sh
/bin/busybox mkdir -p /root /dev
/bin/busybox mount -t devtmpfs dev /dev
while read -r module; do /bin/busybox insmod "$module"; done </modules
/bin/busybox mount -t ext4 /dev/vda /root &&
/bin/busybox mount --move /dev /root/dev &&
exec /bin/busybox switch_root /root /lib/systemd/systemd
`;

/**
 * Answers each line, a script in hexadecimal digits, with its exit code and its output in such. One process, in Perl, which the guests'
 * root has: without KVM each fork costs as much as what is asked.
 */
const SHELL = `#!/usr/bin/perl
sleep 1 until -e '/dev/virtio-ports/lab';
open my $lab, '+<', '/dev/virtio-ports/lab' or die;
while (defined(my $line = <$lab>)) {
  my $script = pack 'H*', $line =~ tr/0-9a-f//cdr;
  my $child = fork // die;
  if (!$child) {
    setpgrp;
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/run/lab.out';
    open STDERR, '>&', STDOUT;
    exec '/bin/sh', '-c', $script;
  }
  local $SIG{ALRM} = sub { kill KILL => -$child };
  alarm 200;
  waitpid $child, 0;
  my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
  alarm 0;
  open my $out, '<', '/run/lab.out';
  my $said = do { local $/; <$out> } // '';
  my $answer = "$code " . unpack('H*', $said) . "\\n";
  for (my $sent = 0; $sent < length $answer; ) {
    $sent += syswrite($lab, $answer, length($answer) - $sent, $sent) // die;
  }
}
`;

const UNIT = `[Unit]
DefaultDependencies=no
After=local-fs.target
[Service]
ExecStart=/usr/local/sbin/lab-shell
Environment=LC_ALL=C SYSTEMD_PAGER= NODE_COMPILE_CACHE=/var/tmp/node
IgnoreSIGPIPE=no
Restart=always
[Install]
WantedBy=sysinit.target
`;

/** Before the others: those of the disk. */
const EARLY = 'virtio_pci virtio_blk ext4';

/** What nobody here needs, each of which takes a second or two without KVM. */
const IDLE = ['getty.target', 'timers.target', 'systemd-logind', 'systemd-user-sessions', 'systemd-binfmt']
  .concat(['systemd-update-utmp', 'systemd-update-utmp-runlevel', 'systemd-random-seed', 'e2scrub_reap'])
  .concat(['systemd-sysusers', 'systemd-sysctl', 'systemd-tmpfiles-setup-dev', 'systemd-remount-fs'])
  .concat(['proc-sys-fs-binfmt_misc.automount', 'dev-hugepages.mount', 'dev-mqueue.mount'])
  .concat(['sys-kernel-debug.mount', 'sys-kernel-tracing.mount'])
  .concat(['configfs', 'dm_mod', 'drm', 'efi_pstore', 'fuse', 'loop'].map((name) => `modprobe@${name}`))
  .concat(['podman', 'podman.socket', 'podman-auto-update', 'podman-restart']);

/** Of the kernel's modules, those that a lab without graphics, sound and network cards can use. */
const MODULES = ['fs', 'lib', 'net', 'drivers/usb', 'drivers/virtio', 'drivers/block/virtio_blk.ko']
  .concat(['crypto/crc32c_generic.ko', 'drivers/char/virtio_console.ko', 'drivers/net/veth.ko'])
  .map((name) => `./lib/modules/*/kernel/${name}`);

/** $1: where it is built unless somebody has done so meanwhile; $2: the guests' root. Runs in mounts of its own. */
const BUILD = `set -e
  test -d "$1" && exit
  new="$1.new"; rm -rf "$new"; mkdir -p "$new/layer" "$new/work" "$new/all" "$new/init/bin"
  mount -t overlay -o "lowerdir=$2,upperdir=$new/layer,workdir=$new/work" overlay "$new/all"
  inside() { chroot "$new/all" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
  inside apt-get -q update
  inside apt-get -q -y --no-install-recommends install kmod busybox-static podman crun netavark aardvark-dns iptables tini uhubctl
  kernel=$(inside apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: //p')
  (cd "$new/all/tmp" && inside sh -c "cd /tmp && apt-get -q download $kernel")
  dpkg-deb --fsys-tarfile "$new"/all/tmp/linux-image-*.deb |
    tar -x -C "$new/all" --keep-directory-symlink --wildcards './boot/vmlinuz-*' './lib/modules/*/modules.*' ${MODULES.map((name) => `'${name}'`).join(' ')}
  mv "$new"/all/boot/vmlinuz-* "$new/vmlinuz"
  rm -rf "$new"/all/tmp/* "$new/all/var/cache/apt" "$new/all/var/lib/apt/lists" 
  version=\${kernel#linux-image-}
  inside depmod "$version"
  cp "$new/all/bin/busybox" "$new/init/bin/"
  for module in ${EARLY}; do inside modprobe -S "$version" --show-depends "$module"; done |
    awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$new/init/modules"
  (cd "$new/all" && sed 's,^/,,' "$new/init/modules" | tar -c -h -T -) | tar -x -C "$new/init"
  printf %s "$INIT" >"$new/init/init"; chmod 755 "$new/init/init"
  (cd "$new/init" && find . | bin/busybox cpio -o -H newc) | gzip -1 >"$new/initrd"
  run=$(mktemp -d); trap 'rm -rf "$run"' EXIT
  install -d -m 700 -o 65532 -g 65532 "$new/all/var/lib/hostnode"
  tar -C "$new/all" --exclude=./usr/lib/modules --exclude=./usr/share --exclude=./var/lib/dpkg \
    --exclude='./usr/lib/python3*' -c . | podman --root "$new/images" --runroot "$run" --storage-driver=overlay import -q --change USER=65532:65532 --change ENV=HOME=/var/lib/hostnode - localhost/hostnode
  rmdir "$new/all/var/lib/hostnode"
  printf %s "$SHELL_" | install -m 755 /dev/stdin "$new/all/usr/local/sbin/lab-shell"
  printf %s "$UNIT" >"$new/all/etc/systemd/system/lab.service"
  inside systemctl --quiet enable lab.service
  inside systemctl --quiet mask ${IDLE.join(' ')}
  umount "$new/all"; rm -rf "$new/all" "$new/work" "$new/init" "$new/images/libpod"
  printf netavark >"$new/images/defaultNetworkBackend"
  mkdir "$new/layer/var/lib/containers"; mv "$new/images" "$new/layer/var/lib/containers/storage"
  mv "$new" "$1"`;

export interface LabRoot {
  /**
   * Folders of which the root is an overlay, the upper one first. Its podman has the image `localhost/hostnode`, with adb and
   * tini as the project's has them.
   */
  readonly layers: readonly string[];
  readonly kernel: string;
  readonly initrd: string;
}

/** A minute where it has to be built first. */
export function labRoot(): LabRoot {
  const below = guestRoot();
  const parts = [BUILD, INIT, SHELL, UNIT];
  const kind = createHash('sha256').update(parts.join()).digest('hex').slice(0, 8);
  const folder = `${below}-usb-${kind}`;
  if (!existsSync(folder))
    execFileSync(
      'flock',
      [`${folder}.lock`, 'unshare', '-m', '--propagation', 'private', 'sh', '-c', BUILD, 'sh', folder, below],
      {
        env: { ...process.env, INIT, SHELL_: SHELL, UNIT, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
        stdio: ['ignore', 'ignore', 'pipe'], // what it says is in the error
      },
    );
  return {
    layers: [`${folder}/layer`, below],
    kernel: `${folder}/vmlinuz`,
    initrd: `${folder}/initrd`,
  };
}
