/** Members of the organization. That the caller is an admin is checked before. */
import { type HandlersOf, Problem } from '../handler.ts';
import { addMember, memberOf } from '../members.ts';
import { roles } from '../state.ts';

export const organization: HandlersOf<'organization'> = {
  createMember({ state, caller, input: { email, enableSso: isSso = false, ...names } }) {
    const { username = email, firstName = email, lastName = '' } = names;
    addMember(state, caller, { email, username, firstName, lastName, isSso });
  },

  deactivateMember({ state, caller, input: { email } }) {
    state.users.put({ ...memberOf(state, caller, email), isActive: false });
  },

  activateMember({ state, caller, input: { email } }) {
    state.users.put({ ...memberOf(state, caller, email), isActive: true });
  },

  assignRole({ state, caller, input: { email, role: name } }) {
    const role = roles.find((each) => each === name);
    if (role === undefined) throw new Problem(400, `the roles of this cloud are ${roles.join(' and ')}`);
    state.users.put({ ...memberOf(state, caller, email), role });
  },
};
