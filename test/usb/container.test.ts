/** The adb server in a container, by the lines of docs/install.md. */

import type { DaemonSet } from 'kubernetes-types/apps/v1.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, readText, root, section } from '../docs/pages.ts';
import { describeWithUsb } from '../support/describe-with.ts';
import { Lab } from './lab.ts';

/** The line that starts the adb server. */
const [line = ''] = codeBlocks(section('docs/install.md', '## Container'), 'sh')
  .flatMap((block) => block.replaceAll('\\\n', '').split('\n'))
  .filter((each) => each.startsWith('podman run -d --name hostnode-adb '));

const BARE = 'podman run -d --no-healthcheck --network=none --group-add=46';
const SERVER = '--entrypoint=/usr/bin/tini hostnode -- adb -L tcp:localhost:5037 server nodaemon';

describeWithUsb('a host whose adb server is in a container', () => {
  const lab = new Lab(
    async () => `
      cp ${root.pathname}systemd/72-hostnode.rules "$all/etc/udev/rules.d"
      echo xhci_pci >"$all/etc/modules-load.d/lab.conf"`,
  );

  const pids = new Map<string, string>();
  const start = async (name: string, run: string) => {
    await lab.machine.do(run);
    pids.set(name, (await lab.machine.do(`podman inspect --format={{.State.Pid}} ${name}`)).trim());
  };
  const remove = (name: string) => lab.machine.do(`podman rm --force --time=0 ${name}`);
  const lists = (name: string, ...ports: string[]) =>
    lab.machine.lists(ports, { within: `nsenter -n -t ${pids.get(name)}` });
  /** Whether a process of the container can open the phone in this port. */
  const opens = async (name: string, port: string) => {
    const node = `sed -n s,^DEVNAME=,/dev/,p /sys/bus/usb/devices/${port}/uevent`;
    await lab.machine.until(`test -c "$(${node})" && echo there`, /there/);
    const opened = `podman exec ${name} dd if=$(${node}) bs=18 count=1 status=none`;
    return (await lab.machine.run(opened)).code === 0;
  };

  it('that was started before any phone lists each that is plugged in', async () => {
    expect(line).toContain('/dev/bus/usb');
    await start('hostnode-adb', line);
    await lists('hostnode-adb');
    await lab.plug('1.1');
    await lists('hostnode-adb', '1-1.1');
    expect(await lab.machine.do('podman exec hostnode-adb cat /proc/1/status')).toMatch(/^CapEff:\t0{16}$/m);
  });

  it('has a phone back that is plugged in again, and the phones of a hub that lost its power', async () => {
    await lab.machine.unplug('1.1');
    await lists('hostnode-adb');
    await lab.plug('1.1');
    await lists('hostnode-adb', '1-1.1');
    await lab.machine.cutHub();
    await lists('hostnode-adb');
    await lab.machine.restoreHub();
    await lab.plug('1.1');
    await lists('hostnode-adb', '1-1.1');
    await remove('hostnode-adb');
  });

  it('that was given single devices loses a phone that is plugged in again, as with a device plugin', async () => {
    await start('granted', `${BARE} --name=granted --cap-drop=all --device=/dev/bus/usb ${SERVER}`);
    await lists('granted', '1-1.1');
    await lab.machine.unplug('1.1');
    await lab.plug('1.1');
    expect(await opens('granted', '1-1.1')).toBe(false);
    await lists('granted');
    await remove('granted');
  });

  it('in a pod needs to be privileged: no capability opens the phones, nor root, without the group of devices', async () => {
    const pod = '--cap-add=all --user=0 -v=/dev/bus/usb:/dev/bus/usb';
    await start('pod', `${BARE} --name=pod ${pod} ${SERVER}`);
    expect(await lab.machine.do('podman exec pod cat /proc/1/status')).toMatch(/^CapEff:\t0*1ff/m);
    expect(await opens('pod', '1-1.1')).toBe(false);
    await lists('pod');
    await remove('pod');
    const rule = "--device-cgroup-rule='c 189:* rw'";
    await start('pod', `${BARE} --name=pod ${rule} --cap-drop=all -v=/dev/bus/usb:/dev/bus/usb ${SERVER}`);
    await lists('pod', '1-1.1');
    // root of a user namespace, as in a rootless container, is nobody to the node of a phone
    await remove('pod');
    const rootless = '--uidmap=0:100000:65536 --gidmap=0:100000:65536';
    await start(
      'pod',
      `${BARE} --name=pod ${rule} ${rootless} --user=0 -v=/dev/bus/usb:/dev/bus/usb ${SERVER}`,
    );
    expect(await opens('pod', '1-1.1')).toBe(false);
    await remove('pod');
  });

  it('of a person without root opens the phones only with the group of that person', async () => {
    const node = '$(sed -n s,^DEVNAME=,/dev/,p /sys/bus/usb/devices/1-1.1/uevent)';
    const inNamespace = `unshare --user --map-root-user dd if=${node} bs=18 count=1 status=none`;
    const opened = (groups: string) =>
      lab.machine.run(`setpriv --reuid=nobody --regid=nogroup ${groups} ${inNamespace}`);
    expect((await opened('--groups=plugdev')).code).toBe(0);
    expect((await opened('--clear-groups')).output).toMatch(/Permission denied/);
  });

  it('that is the sidecar of the manifests has such a phone', async () => {
    const manifest: DaemonSet = parse(readText('config/kubernetes/overlays/adb-sidecar/pod.yaml'));
    const pod = manifest.spec?.template.spec;
    const adb = pod?.initContainers?.find(({ name }) => name === 'adb');
    expect(adb?.securityContext).toEqual({ privileged: true, readOnlyRootFilesystem: true });
    const paths = new Map(pod?.volumes?.map(({ name, hostPath }) => [name, hostPath?.path]));
    const mounts = adb?.volumeMounts?.map(({ name, mountPath }) => {
      const path = paths.get(name);
      if (path === undefined) return `--tmpfs=${mountPath}`;
      return `-v=${path.startsWith('/dev/') ? path : name}:${mountPath}`;
    });
    const options = ['--name=sidecar --privileged --read-only', ...(mounts ?? [])].join(' ');
    const [program, ...args] = adb?.command ?? [];
    await start('sidecar', `${BARE} ${options} --entrypoint=${program} hostnode ${args.join(' ')}`);
    await lists('sidecar', '1-1.1');
    await lab.machine.unplug('1.1');
    await lists('sidecar');
    await lab.plug('1.1');
    await lists('sidecar', '1-1.1');
  });
});
