import { describe, expect, it } from 'vitest';
import { anyHost } from '../../src/base/environment.ts';
import { containerKind, readHostKind } from '../../src/host/host-kind.ts';
import { hostTree } from '../support/host-tree.ts';

const booted = { 'run/systemd/system/README': '' };
const units = {
  'etc/systemd/system/hostnode.service': '',
  'usr/lib/systemd/system/hostnode-adb.service': '',
};

describe('readHostKind', () => {
  it.each<[string, Record<string, string>, object]>([
    ['a machine without systemd, also with units left on its disk', units, anyHost],
    ['a machine with systemd alone', booted, { hasSystemd: true, units: [], inContainer: false }],
    [
      'a host of the package, by hand or not',
      { ...booted, ...units },
      { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false, lacksAdb: true },
    ],
    [
      'a host of the package with adb',
      { ...booted, ...units, 'usr/bin/adb': '' },
      { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false, lacksAdb: false },
    ],
    ['a container', { '.dockerenv': '' }, { hasSystemd: false, units: [], inContainer: true }],
  ])('knows %s', async (_, files, hostKind) => {
    expect(readHostKind(await hostTree(files), {})).toEqual(hostKind);
  });
});

const kind = async (files: Record<string, string>, env: Record<string, string> = {}) =>
  containerKind(await hostTree(files), env);

describe('a container', () => {
  it.each([
    ['docker', { '.dockerenv': '' }, {}],
    ['podman', { 'run/.containerenv': '' }, {}],
    ['a pod of Kubernetes', {}, { KUBERNETES_SERVICE_HOST: '10.96.0.1' }],
    ['an image that says so', {}, { container: 'oci' }],
    ['podman with a systemd in it', { 'run/.containerenv': '', 'run/systemd/container': 'podman' }, {}],
  ] as const)('of %s is made from an image', async (_, files, env) => {
    expect(await kind(files, env)).toBe('application');
  });

  it('that booted a systemd is a system, also in a shell entered from outside', async () => {
    const booted = { 'run/systemd/container': 'lxc' };
    expect(await kind(booted)).toBe('system');
    expect(await kind(booted, { container: 'lxc' })).toBe('system');
  });

  it('is not what has none of these', async () => {
    expect(await kind({ 'run/systemd/system/x': '' }, { container: '' })).toBe('none');
  });
});
