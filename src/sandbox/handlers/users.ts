/** Users: who calls, the members of an organization, its groups, and the gestures of each user. */
import { randomBytes } from 'node:crypto';
import { type Call, type HandlersOf, notFound, Problem } from '../handler.ts';
import { roles, type State, type User } from '../state.ts';

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
    ...user,
    organizationId,
    apiKey: randomBytes(20).toString('hex'),
    role: 'MEMBER',
    isActive: true,
    favoriteDeviceIds: [],
  });
}

/** @throws {Problem} 404: the caller's organization has no such member */
function changeMember({ state, caller }: Call, email: string, change: Partial<User>): undefined {
  const isMeant = (each: User) => each.organizationId === caller.organizationId && each.email === email;
  const user = state.users.find(isMeant);
  if (user === undefined) throw notFound(`member ${email}`);
  state.users.put({ ...user, ...change });
}

/** That the caller is an admin is checked before. */
export const organization: HandlersOf<'organization'> = {
  createMember({ state, caller, input: { email, enableSso: isSso = false, ...names } }) {
    const username = names.username || email;
    const firstName = names.firstName || email;
    addMember(state, caller, { email, username, firstName, lastName: names.lastName ?? '', isSso });
  },

  deactivateMember: (call) => changeMember(call, call.input.email, { isActive: false }),

  activateMember(call) {
    if (call.input.email !== undefined) changeMember(call, call.input.email, { isActive: true });
  },

  assignRole(call) {
    const role = roles.find((each) => each === call.input.role);
    if (role === undefined) throw new Problem(400, `the roles of this cloud are ${roles.join(' and ')}`);
    changeMember(call, call.input.email, { role });
  },
};

export const groups: HandlersOf<'groups'> = {
  list({ state, caller, input: { organizationId } }) {
    if (organizationId !== caller.organizationId)
      throw new Problem(403, `you are not a member of organization ${organizationId}`);
    return state.teams
      .filter((team) => team.organizationId === organizationId && team.userIds.includes(caller.id))
      .map(({ id, name, description }) => ({ id, organizationId, name, description }));
  },
};

export const gestures: HandlersOf<'gestures'> = {
  list({ state, caller, services }) {
    const own = state.gestures
      .filter(({ userId }) => userId === caller.id)
      .map(({ id, name, command }) => ({ id, name, command }));
    return services.gestures === 'object' ? (own.at(-1) ?? []) : own;
  },

  save({ state, caller, input: { name, command } }) {
    state.gestures.add({ userId: caller.id, name, command });
  },

  delete({ state, caller, input: { id } }) {
    const gesture = state.gestures.find((each) => String(each.id) === id && each.userId === caller.id);
    if (gesture === undefined) throw notFound(`gesture ${id}`);
    state.gestures.remove(gesture.id);
  },
};
