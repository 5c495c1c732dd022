/** Groups: the teams of the organization. */
import { type HandlersOf, Problem } from '../handler.ts';

export const groups: HandlersOf<'groups'> = {
  list({ state, caller, input: { organizationId } }) {
    if (organizationId !== caller.organizationId)
      throw new Problem(403, `you are not a member of organization ${organizationId}`);
    return state.teams
      .filter((team) => team.organizationId === organizationId && team.userIds.includes(caller.id))
      .map(({ id, name, description }) => ({ id, organizationId, name, description }));
  },
};
