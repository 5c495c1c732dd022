import { describe, expect, it } from 'vitest';
import { operations } from '../../src/cloud/contract/index.ts';
import type { DevicesBody } from '../../src/cloud/contract/report.ts';
import { handlerOf } from '../../src/sandbox/service.ts';
import { furnish, inputs } from './each-operation.ts';
import { clientOf, startSandbox, statusOf } from './lab.ts';

const { readers = [], others = [] } = Object.groupBy(operations, ({ method }) =>
  method === 'GET' ? 'readers' : 'others',
);

describe('the operations of the sandbox', () => {
  it('are all of the contract', () => {
    expect(operations.map((operation) => typeof handlerOf(operation))).toEqual(
      operations.map(() => 'function'),
    );
    expect(Object.keys(inputs)).toEqual(operations.map(({ id }) => id));
  });

  // the client rejects an answer that does not follow the contract
  it('that only read answer as the contract says', async () => {
    const sandbox = await startSandbox();
    await furnish(sandbox);
    const client = clientOf(sandbox);
    for (const { id } of readers)
      await expect(client.request(id as 'apps.list', inputs[id] as never), id).resolves.toBeDefined();
  });

  it.each(others.map(({ id }) => id))('%s answers as the contract says', async (id) => {
    const sandbox = await startSandbox();
    const appPath = await furnish(sandbox);
    const input = id === 'apps.create' ? { appPath } : inputs[id];
    const client = clientOf(sandbox);
    const answer = await client.request(id as 'apps.list', input as never);
    expect(answer === undefined).toBe(operations.find((each) => each.id === id)?.answer === undefined);
  });

  it.each(operations.filter(({ isAdminOnly }) => isAdminOnly).map(({ id }) => id))(
    '%s is for admins only',
    async (id) => {
      const sandbox = await startSandbox();
      const call = clientOf(sandbox, 'member').request(id as 'apps.list', inputs[id] as never);
      expect(await statusOf(call)).toBe(403);
    },
  );

  it('refuse who is deactivated, until activated again', async () => {
    const sandbox = await startSandbox();
    const admin = clientOf(sandbox);
    const member = clientOf(sandbox, 'member');
    await admin.organization.deactivateMember({ email: 'member@lab.example' });
    expect(await statusOf(member.apps.list())).toBe(401);
    await admin.organization.activateMember({ email: 'member@lab.example' });
    expect(await member.apps.list()).toEqual([]);
  });

  it('let a new member in with a key of their own', async () => {
    const sandbox = await startSandbox();
    await clientOf(sandbox).organization.createMember({
      email: 'new@lab.example',
      password: 'correct horse',
    });
    const created = sandbox.state.users.all().at(-1);
    expect(created).toMatchObject({
      username: 'new@lab.example',
      firstName: 'new@lab.example',
      role: 'MEMBER',
    });
    expect(JSON.stringify(sandbox.state.users.all())).not.toContain('correct horse');
    expect(await clientOf(sandbox, 'new@lab.example').groups.list({ organizationId: 1 })).toEqual([]);
    const again = clientOf(sandbox).organization.createMember({ email: 'new@lab.example', password: 'x' });
    expect(await statusOf(again)).toBe(409);
  });

  it('know the roles of the sandbox only, and the v2 permission of admins', async () => {
    const sandbox = await startSandbox();
    const admin = clientOf(sandbox);
    const member = clientOf(sandbox, 'member');
    const user = { email: 'new@lab.example', username: 'new', enable_sso: true } as const;
    expect(await statusOf(member.v2.createMember(user))).toBe(403);
    const role = { email: 'member@lab.example', role: 'KING' };
    expect(await statusOf(admin.organization.assignRole(role))).toBe(400);
    await admin.organization.assignRole({ ...role, role: 'ADMIN' });
    await member.v2.createMember(user);
    expect(sandbox.state.users.all().at(-1)).toMatchObject({ username: 'new', isSso: true });
  });

  it('show each user their own gestures, as a list or as one object', async () => {
    const sandbox = await startSandbox({ gestures: 'object' });
    const admin = clientOf(sandbox);
    await admin.gestures.save({ name: 'swipe', command: 'down' });
    expect(await admin.gestures.list()).toEqual([{ id: 1, name: 'swipe', command: 'down' }]);
    expect(await clientOf(sandbox, 'member').gestures.list()).toEqual([]);
    expect(await statusOf(clientOf(sandbox, 'member').gestures.delete({ id: '1' }))).toBe(404);
    await admin.gestures.delete({ id: '1' });
    expect(await admin.gestures.list()).toEqual([]);
  });

  it('terminate the reservations that the caller may terminate, and say which devices have none', async () => {
    const sandbox = await startSandbox();
    const member = clientOf(sandbox, 'member');
    sandbox.book('R5CT40TB77X', 'admin');
    expect(await member.v2.terminateReservations({ reservation_ids: ['1'] })).toEqual({ failed: [] });
    expect(await member.devices.status({ deviceId: '2' })).toMatchObject({ isBooked: true });
    const body = { reservation_ids: [1], device_udids: ['9B281FFAZ00AB1'] };
    const answer = await clientOf(sandbox).request('v2.terminateReservations', undefined as never, { body });
    expect(answer).toEqual({ failed: ['9B281FFAZ00AB1'] });
    expect(await member.devices.status({ deviceId: '2' })).toMatchObject({ isBooked: false });
  });

  it('update what can be updated of a data set, and show the rest unchanged', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    await client.dataSets.createByCommand({
      exploringSessionId: 1,
      dataSetActions: [{ commandId: 4, value: 'SUMMER' }],
    });
    const { data } = await client.dataSets.updateByCommand({
      dataSetId: 1,
      dataSetActions: [
        { commandId: 2, value: 'Berlin' },
        { commandId: 4, value: 'longer than the field takes' },
        { commandId: 99, value: 'nowhere' },
      ],
    });
    expect(data.successfulActions).toMatchObject([{ commandId: 2, actionProperties: { text: 'Berlin' } }]);
    expect(data.failedActions).toMatchObject([
      { commandId: 4, actionProperties: { text: 'SUMMER' } },
      { commandId: 99 },
    ]);
    expect(await client.dataSets.list({ exploringSessionId: 1 })).toMatchObject([
      { totalActionCount: 3, editedActionCount: 2 },
    ]);
    expect(await statusOf(clientOf(sandbox, 'other').dataSets.list({ exploringSessionId: 1 }))).toBe(404);
  });

  it('do not let one organization report a device of another', async () => {
    const sandbox = await startSandbox();
    const [device] = sandbox.devices();
    const { machine } = inputs['devices.report'] as DevicesBody;
    const answer = await clientOf(sandbox, 'other').devices.report({
      nodeId: 'rack-9',
      machine,
      devices: device ? [device.info] : [],
    });
    expect(answer).toEqual({
      failedDevices: [{ udid: device?.info.udid, message: 'the device belongs to somebody else' }],
    });
    expect((await clientOf(sandbox, 'other').devices.list()).privateDevices).toEqual([]);
  });
});
