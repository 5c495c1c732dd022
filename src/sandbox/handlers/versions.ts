/** Versions of apps, and their tags. */
import { isSurelyPlainTag } from '../../cloud/contract/versions.ts';
import { mayUse, removeVersion, shortVersionView, versionFor } from '../apps.ts';
import { type HandlersOf, notFound, Problem } from '../handler.ts';
import type { State, User, Version } from '../state.ts';

/** The version, if the user may tag it. */
function taggable(state: State, caller: User, versionId: number, tag: string): Version {
  if (!isSurelyPlainTag(tag))
    throw new Problem(400, 'a tag has letters, digits, ".", "_" and "-" only, at most 32');
  const version = state.versions.get(versionId);
  const app = version && state.apps.get(version.appId);
  if (version === undefined || app === undefined) throw notFound(`version ${versionId}`);
  if (!mayUse(state, caller, app)) throw new Problem(403, `you may not tag version ${versionId}`);
  return version;
}

/** Has a version of this organization the tag? */
const isTaken = (state: State, { organizationId }: User, tag: string): boolean =>
  state.versions.find(
    ({ tags, appId }) => tags.includes(tag) && state.apps.get(appId)?.organizationId === organizationId,
  ) !== undefined;

export const versions: HandlersOf<'versions'> = {
  get(call) {
    const { version, app } = versionFor(call.state, call.caller, call.input.versionId);
    return { ...shortVersionView(version, call), appId: app.id, name: version.name };
  },

  delete({ state, caller, input: { versionId } }) {
    removeVersion(state, versionFor(state, caller, versionId).version.id);
  },

  assignTag({ state, caller, input: { versionId, name } }) {
    const version = taggable(state, caller, versionId, name);
    if (isTaken(state, caller, name)) throw new Problem(400, 'the organization has this tag already');
    state.versions.put({ ...version, tags: [...version.tags, name] });
  },

  unassignTag({ state, caller, input: { versionId, name } }) {
    const version = taggable(state, caller, versionId, name);
    if (!version.tags.includes(name)) throw notFound(`such tag of version ${versionId}`);
    state.versions.put({ ...version, tags: version.tags.filter((tag) => tag !== name) });
  },
};
