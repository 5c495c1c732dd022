/** Users and groups of this host, as passwd(5) and group(5) have them: colons between the fields. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly home: string;
}

export interface Accounts {
  readonly users: readonly User[];
  readonly groups: readonly { readonly name: string; readonly gid: number }[];
}

const fields = (text: string) => text.split('\n').map((line) => line.split(':'));

export async function readAccounts(root: string): Promise<Accounts> {
  const read = (name: string) => readFile(join(root, 'etc', name), 'utf8').catch(() => '');
  const [passwd, group] = await Promise.all([read('passwd'), read('group')]);
  return {
    users: fields(passwd).flatMap(([name = '', , uid, , , home = '']) =>
      uid === undefined ? [] : [{ name, uid: Number(uid), home }],
    ),
    groups: fields(group).flatMap(([name = '', , gid]) =>
      gid === undefined ? [] : [{ name, gid: Number(gid) }],
    ),
  };
}

export const userName = ({ users }: Accounts, uid: number): string =>
  users.find((user) => user.uid === uid)?.name ?? `uid ${uid}`;

export const groupName = ({ groups }: Accounts, gid: number): string =>
  groups.find((group) => group.gid === gid)?.name ?? `gid ${gid}`;
