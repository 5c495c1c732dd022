import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { clientOf, folder, startSandbox } from './lab.ts';

const dataFile = async () => join(await folder(), 'sandbox.db');

describe('the data file', () => {
  it('keeps all tables, for its owner only', async () => {
    const data = await dataFile();
    const first = await startSandbox({ data });
    await clientOf(first).gestures.save({ name: 'tap', command: 'down' });
    await clientOf(first).devices.addFavorite({ deviceId: '1' });
    first.book('R5CT40TB77X', 'member');
    const tables = (sandbox: Sandbox) =>
      Object.entries(sandbox.state).map(([name, table]) => [name, (table as { all(): object[] }).all()]);
    const before = tables(first);
    await first.stop();
    expect((await stat(data)).mode & 0o777).toBe(0o600);
    expect(
      tables(
        await startSandbox({
          data,
          seed: { organizations: [{ name: 'x', users: [{ username: 'x', apiKey: 'x' }] }] },
        }),
      ),
    ).toEqual(before);
  });

  it('never gives an id again', async () => {
    const data = await dataFile();
    const first = await startSandbox({ data });
    await clientOf(first).gestures.save({ name: 'one', command: 'down' });
    await clientOf(first).gestures.delete({ id: '1' });
    await first.stop();
    const second = clientOf(await startSandbox({ data }));
    await second.gestures.save({ name: 'two', command: 'down' });
    expect(await second.gestures.list()).toMatchObject([{ id: 2, name: 'two' }]);
  });

  it('begins anew with a reset', async () => {
    const data = await dataFile();
    const first = await startSandbox({ data });
    await clientOf(first).gestures.save({ name: 'tap', command: 'down' });
    first.reset();
    await first.stop();
    const second = await startSandbox({ data });
    expect(await clientOf(second).gestures.list()).toEqual([]);
    expect(second.info.users).toHaveLength(3);
  });

  it('is for one sandbox at a time', async () => {
    const data = await dataFile();
    await startSandbox({ data });
    await expect(Sandbox.start({ data })).rejects.toThrow(`cannot use ${data}: database is locked`);
  });

  it.each([
    ['a folder', async () => folder()],
    [
      'another file',
      async () => {
        const file = await dataFile();
        await writeFile(file, 'something else '.repeat(100));
        return file;
      },
    ],
    [
      'one of a later version',
      async () => {
        const file = await dataFile();
        const sqlite = new DatabaseSync(file);
        sqlite.exec('PRAGMA user_version = 99');
        sqlite.close();
        return file;
      },
    ],
  ])('is not %s', async (_, make) => {
    const data = await make();
    await expect(Sandbox.start({ data })).rejects.toThrow(`cannot use ${data}: `);
  });
});
