/** The adb server in a container, by the lines of docs/install.md, on a real kernel with a real USB bus. */

import type { DaemonSet } from 'kubernetes-types/apps/v1.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, readText, section } from '../docs/pages.ts';
import { SimulatedPhone } from '../rig/rig.ts';
import { describeWithUsb } from '../support/describe-with.ts';
import { Machine } from './machine.ts';

const rule = readText('systemd/72-hostnode.rules');

/** The line that starts the adb server. */
const [line = ''] = codeBlocks(section('docs/install.md', '## Container'), 'sh')
  .flatMap((block) => block.replaceAll('\\\n', '').split('\n'))
  .filter((each) => each.startsWith('podman run -d --name hostnode-adb '));

/** No layer of a container may lie on the machine's own root, which is an overlay itself. */
const PREPARE = `mount -t tmpfs tmpfs /var/lib/containers
  cat >/etc/containers/storage.conf <<'END'
[storage]
driver = "overlay"
graphroot = "/var/lib/containers/storage"
runroot = "/run/containers/storage"
[storage.options]
additionalimagestores = ["/lab/images"]
END`;

const BARE = 'podman run -d --no-healthcheck --network=none --group-add=46';
const SERVER = '--entrypoint=/usr/bin/tini hostnode -- adb -L tcp:localhost:5037 server nodaemon';

describeWithUsb('an adb server in a container', () => {
  let machine: Machine;
  let phone: SimulatedPhone;

  beforeAll(async () => {
    phone = await SimulatedPhone.start('xiaomi-poco-f6-15');
    machine = await Machine.boot(`cat >"$all/etc/udev/rules.d/72-hostnode.rules" <<'END'\n${rule}END`);
    await machine.do(PREPARE);
  });

  afterAll(async () => {
    await machine?.end();
    await phone?.[Symbol.asyncDispose]();
  });

  const plug = (port: string) => machine.plug(port, { serial: `LAB-${port}`, adbdPort: phone.adbd.port });
  const lists = (name: string, ...ports: string[]) =>
    machine.lists(ports, {
      within: `nsenter -n -t $(podman inspect --format={{.State.Pid}} ${name} 2>/dev/null)`,
    });

  it('that was started before any phone lists each that is plugged in', async () => {
    expect(line).toContain('/dev/bus/usb');
    await machine.do(line);
    await lists('hostnode-adb');
    await plug('1.1');
    await lists('hostnode-adb', '1-1.1');
    expect(await machine.do('podman exec hostnode-adb cat /proc/1/status')).toMatch(/^CapEff:\t0{16}$/m);
  });

  it('has a phone back that is plugged in again, and the phones of a hub that lost its power', async () => {
    await machine.unplug('1.1');
    await lists('hostnode-adb');
    await plug('1.1');
    await lists('hostnode-adb', '1-1.1');
    await machine.cutHub();
    await lists('hostnode-adb');
    await machine.restoreHub();
    await plug('1.1');
    await lists('hostnode-adb', '1-1.1');
    await machine.do('podman rm --force --time=1 hostnode-adb');
  });

  it('that was given single devices loses a phone that is plugged in again, as with a device plugin', async () => {
    await machine.do(`${BARE} --name=granted --cap-drop=all --device=/dev/bus/usb ${SERVER}`);
    await lists('granted', '1-1.1');
    await machine.unplug('1.1');
    await plug('1.1');
    const node = 'sed -n s,^DEVNAME=,/dev/,p /sys/bus/usb/devices/1-1.1/uevent';
    const opened = `podman exec granted dd if=$(${node}) bs=18 count=1 status=none`;
    await machine.until(`test -c $(${node}) && echo there`, /there/);
    expect((await machine.run(opened)).code).not.toBe(0);
    await lists('granted');
    await machine.do('podman rm --force --time=1 granted');
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
    await machine.do(`${BARE} ${options} --entrypoint=${program} hostnode ${args.join(' ')}`);
    await lists('sidecar', '1-1.1');
    await machine.unplug('1.1');
    await lists('sidecar');
    await plug('1.1');
    await lists('sidecar', '1-1.1');
  });
});
