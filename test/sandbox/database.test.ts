import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Database } from '../../src/sandbox/database.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Table } from '../../src/sandbox/table.ts';
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
      Object.entries(sandbox.state).flatMap(([name, table]) =>
        table instanceof Table ? [[name, table.all()]] : [],
      );
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

  it('gets with the next commit what could not be written', async () => {
    const data = await dataFile();
    const database = new Database(data);
    let isFull = true;
    const toJSON = () => {
      if (isFull) throw new Error('disk full');
      return { id: 1, name: 'kept' };
    };
    const teams = new Table();
    teams.put({ id: 1, toJSON } as never);
    expect(() => database.commit({ teams })).toThrow('disk full');
    isFull = false;
    database.commit({ teams });
    database.close();
    const again = new Database(data);
    expect(again.kept.get('teams')?.rows).toEqual([{ id: 1, name: 'kept' }]);
    again.close();
  });

  it('gets the rows that changed, and no others', async () => {
    const database = new Database(await dataFile());
    const written: number[] = [];
    const row = (id: number) => ({ id, toJSON: () => written.push(id) }) as never;
    const devices = new Table();
    for (const id of [1, 2, 3]) devices.put(row(id));
    database.commit({ devices });
    devices.put(row(2));
    devices.remove(3);
    database.commit({ devices });
    database.commit({ devices });
    expect(written).toEqual([1, 2, 3, 2]);
    database.close();
  });

  it('of 0.1.0 is read', async () => {
    const file = await dataFile();
    const sqlite = new DatabaseSync(file);
    sqlite.exec(`PRAGMA user_version = 1;
      CREATE TABLE rows (name TEXT, id INTEGER, json TEXT NOT NULL, PRIMARY KEY (name, id));
      CREATE TABLE last_ids (name TEXT PRIMARY KEY, id INTEGER NOT NULL);
      INSERT INTO rows VALUES ('teams', 2, '{"id":2,"name":"b"}'), ('teams', 1, '{"id":1,"name":"a"}');
      INSERT INTO last_ids VALUES ('teams', 7), ('parts', 3);`);
    sqlite.close();
    const database = new Database(file);
    const rows = [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ];
    expect([...database.kept]).toEqual([
      ['teams', { rows, lastId: 7 }],
      ['parts', { rows: [], lastId: 3 }],
    ]);
    database.close();
  });

  it('keeps what it has if the seed of a reset is wrong', async () => {
    const data = await dataFile();
    const first = await startSandbox({ data });
    expect(() => first.reset({ organizations: [] })).toThrow();
    first.change(() => {});
    await first.stop();
    expect((await startSandbox({ data })).info.users).toHaveLength(3);
  });

  it.each([
    ['a folder', async () => folder()],
    [
      'the database of another program',
      async () => {
        const file = await dataFile();
        const sqlite = new DatabaseSync(file);
        sqlite.exec('CREATE TABLE bookmarks (address TEXT)');
        sqlite.close();
        return file;
      },
    ],
    [
      'one with a damaged table',
      async () => {
        const file = await dataFile();
        await (await startSandbox({ data: file })).stop();
        const sqlite = new DatabaseSync(file);
        sqlite.exec(`UPDATE rows SET json = '{"id":' WHERE name = 'users'`);
        sqlite.close();
        return file;
      },
    ],
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

  it.each([0, 1])('leaves the database of another program, of version %i, as it is', async (version) => {
    const data = await dataFile();
    const sqlite = new DatabaseSync(data);
    sqlite.exec(`PRAGMA user_version = ${version}; CREATE TABLE bookmarks (address TEXT)`);
    sqlite.close();
    const before = await readFile(data);
    await expect(Sandbox.start({ data })).rejects.toThrow('it is the database of another program');
    expect(await readFile(data)).toEqual(before);
  });
});
