/** Users: who calls, and the members of an organization. */
import { randomBytes } from 'node:crypto';
import { notFound, Problem } from './handler.ts';
import type { State, User } from './state.ts';

/** The user whom an `Authorization` header names; undefined if name or key are wrong, or the user is deactivated. */
export function userOf(state: State, authorization: string | undefined): User | undefined {
  const [, credentials] = /^basic +([\w+/=-]{1,2048})$/i.exec(authorization ?? '') ?? [];
  if (credentials === undefined) return undefined;
  const text = Buffer.from(credentials, 'base64').toString();
  return state.users.find(
    ({ username, email, apiKey, isActive }) =>
      isActive && (text === `${username}:${apiKey}` || text === `${email}:${apiKey}`),
  );
}

/** @throws {Problem} 404: the caller's organization has no such member */
export function memberOf(state: State, { organizationId }: User, email: string): User {
  const user = state.users.find((each) => each.organizationId === organizationId && each.email === email);
  if (user === undefined) throw notFound(`member ${email}`);
  return user;
}

/**
 * Adds a member to the caller's organization, with an API key of its own.
 *
 * @throws {Problem} 409: somebody has this name or address already
 */
export function addMember(
  state: State,
  { organizationId }: User,
  user: Pick<User, 'email' | 'username' | 'firstName' | 'lastName' | 'isSso'>,
): User {
  const names = [user.email, user.username];
  const isTaken = state.users.find(
    ({ email, username }) => names.includes(email) || names.includes(username),
  );
  if (isTaken) throw new Problem(409, 'another user has this user name or email address');
  return state.users.add({
    ...{ ...user, organizationId, apiKey: randomBytes(20).toString('hex') },
    ...{ role: 'MEMBER', isActive: true, favoriteDeviceIds: [] },
  });
}
