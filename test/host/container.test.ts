import { describe, expect, it } from 'vitest';
import { containerKind } from '../../src/host/container.ts';
import { hostTree } from '../support/host-tree.ts';

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
