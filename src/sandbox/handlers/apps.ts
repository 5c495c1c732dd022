/** Apps, their versions and tags: who may use them, the three steps of an upload, reads, deletion. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path/posix';
import { isSurelyPlainTag } from '../../cloud/contract/versions.ts';
import { type Call, type HandlersOf, notFound, Problem, timeOf } from '../handler.ts';
import type { App, State, User, Version } from '../state.ts';

type Context = Pick<Call, 'services' | 'state'>;

/** Everybody of the organization, its creator, or the members of some teams. */
function mayUse(state: State, user: User, app: App): boolean {
  if (app.organizationId !== user.organizationId) return false;
  if (app.access === 'public') return true;
  if (app.access === 'private') return app.createdBy === user.id;
  return app.assignedTeams.some(({ teamId }) => state.teams.get(teamId)?.userIds.includes(user.id));
}

/** @throws {Problem} 404, also if it is hidden from the user */
export function appFor(state: State, user: User, appId: number): App {
  const app = state.apps.get(appId);
  if (app === undefined || !mayUse(state, user, app)) throw notFound(`app ${appId}`);
  return app;
}

/** @throws {Problem} 404, or what is said if it is hidden from the user */
function versionFor(
  { state, caller }: Pick<Call, 'state' | 'caller'>,
  versionId: number,
  hidden = notFound(`version ${versionId}`),
): { version: Version; app: App } {
  const version = state.versions.get(versionId);
  const app = version && state.apps.get(version.appId);
  if (version === undefined || app === undefined) throw notFound(`version ${versionId}`);
  if (!mayUse(state, caller, app)) throw hidden;
  return { version, app };
}

export const versionsOf = (state: State, appId: number): Version[] =>
  state.versions.filter((version) => version.appId === appId);

function removeApp(state: State, appId: number): void {
  for (const { id } of versionsOf(state, appId)) state.versions.remove(id);
  state.apps.remove(appId);
}

/** The document knows OK; PARSING and FAILED are our words. */
export function stateOf({ parsed, parsedAt }: Version, now: number): 'OK' | 'PARSING' | 'FAILED' {
  if (parsed === undefined || now < parsedAt) return 'PARSING';
  return parsed === null ? 'FAILED' : 'OK';
}

const usernameOf = (state: State, id: number): string | undefined => state.users.get(id)?.username;

/** What is known once it is parsed. */
function propertiesOf(version: Version, { services }: Context) {
  const { parsed, id, icon: hasIcon } = version;
  if (!parsed || stateOf(version, services.now()) !== 'OK') return undefined;
  const { package: name, icon, label, versionName } = parsed;
  const iconUrl = hasIcon && services.iconUrl(id);
  const iconLocalPath = hasIcon && `icons/${id}`;
  return { package: name, application: { icon, label, versionName, iconLocalPath, iconUrl } };
}

/** A version as in the list of apps. */
export function versionView(version: Version, call: Context) {
  const { id, createdAt, name, createdBy } = version;
  const nativeProperties = propertiesOf(version, call);
  return {
    id,
    createdAt,
    name,
    version: nativeProperties?.application.versionName,
    createdBy: usernameOf(call.state, createdBy),
    state: stateOf(version, call.services.now()),
    nativeProperties,
  };
}

/** A version as in the reads of one app and one version. */
function shortVersionView(version: Version, call: Context) {
  const { id, state, version: label } = versionView(version, call);
  return { id, state, version: label };
}

/** What the two reads of apps have in common: its state is that of its newest version. */
function appView(app: App, call: Context) {
  const { id, createdAt, name, access, createdBy } = app;
  const newest = versionsOf(call.state, id).at(-1);
  const application = newest && propertiesOf(newest, call)?.application;
  return {
    id,
    createdAt,
    name: application?.label ?? name,
    privateAccess: access === 'private',
    os: application && 'ANDROID',
    createdBy: usernameOf(call.state, createdBy),
    state: newest && stateOf(newest, call.services.now()),
    iconUrl: application?.iconUrl,
  };
}

/** An app as in the read of one. */
export const singleApp = (app: App, call: Context) => ({
  ...appView(app, call),
  versions: versionsOf(call.state, app.id).map((version) => shortVersionView(version, call)),
  assignedTeams: app.assignedTeams.map(({ id, teamId }) => ({ id, teamId, appId: app.id })),
});

/** To everybody of the organization, or to its creator alone. */
function open({ state, caller }: Call, appId: number, access: App['access']): undefined {
  state.apps.put({ ...appFor(state, caller, appId), access, assignedTeams: [] });
}

export const apps: HandlersOf<'apps'> = {
  list(call) {
    const { state, caller } = call;
    const viewOf = (version: Version) => versionView(version, call);
    return state.apps
      .filter((app) => mayUse(state, caller, app))
      .map((app) => ({ ...appView(app, call), versions: versionsOf(state, app.id).map(viewOf) }));
  },

  get: (call) => singleApp(appFor(call.state, call.caller, call.input.appId), call),

  uploadUrl({ state, caller, services, input: { filename, appId = null } }) {
    if (appId !== null) appFor(state, caller, appId);
    // a name with slashes would be another object's key, and clients resolve dots in a URL
    const name = /^\.\.?$/.test(filename) ? '_' : filename.replaceAll('/', '_');
    const appPath = `uploads/${caller.organizationId}/${randomUUID()}/${name}`;
    state.uploads.add({ organizationId: caller.organizationId, appPath, appId, isReceived: false });
    return { appPath, url: services.signedUrl(appPath) };
  },

  create({ state, caller, services, input }) {
    const { appPath } = input;
    const filename = input.filename || basename(appPath);
    const upload = state.uploads.find(
      (each) => each.appPath === appPath && each.organizationId === caller.organizationId,
    );
    if (upload === undefined || !upload.isReceived) throw notFound(`uploaded file ${appPath}`);
    if (upload.versionId !== undefined) throw new Problem(409, 'this file was registered before');
    const createdAt = timeOf(services.now());
    const { id: appId } =
      upload.appId !== null
        ? appFor(state, caller, upload.appId)
        : state.apps.add({
            organizationId: caller.organizationId,
            createdAt,
            name: filename,
            createdBy: caller.id,
            access: 'public',
            assignedTeams: [],
          });
    const { id: versionId } = state.versions.add({
      appId,
      createdAt,
      name: filename,
      createdBy: caller.id,
      tags: [],
      parsedAt: services.now() + services.parseForMs,
    });
    state.uploads.put({ ...upload, versionId });
    services.parse(versionId);
    return { appId: upload.appId, versionId };
  },

  delete({ state, caller, input: { appIds } }) {
    const wanted = [...new Set(appIds)];
    const found = wanted.filter((id) =>
      state.apps.find((app) => app.id === id && mayUse(state, caller, app)),
    );
    const missing = wanted.filter((id) => !found.includes(id));
    for (const id of found) removeApp(state, id);
    const outcomes = [
      { message: 'The app was deleted', appIds: found },
      { message: 'The app was not found', appIds: missing },
    ];
    const result = outcomes.filter((each) => each.appIds.length > 0);
    return { deleted: found.length, failed: missing.length, result };
  },

  deleteOne({ state, caller, input: { appId } }) {
    removeApp(state, appFor(state, caller, appId).id);
  },

  makePrivate: (call) => open(call, call.input.appId, 'private'),
  makePublic: (call) => open(call, call.input.appId, 'public'),

  assignTeams({ state, caller, input: { appId, teamIds = [] } }) {
    const app = appFor(state, caller, appId);
    if (teamIds.length === 0) return; // the document has an effect only "if teamIds are given"
    const unknown = teamIds.find((id) => state.teams.get(id)?.organizationId !== caller.organizationId);
    if (unknown !== undefined) throw notFound(`team ${unknown}`);
    const assignedTeams = [...new Set(teamIds)].map((teamId) => ({ id: state.nextPartId(), teamId }));
    state.apps.put({ ...app, access: 'team', assignedTeams });
  },
};

/** The version, if the user may tag it. */
function taggable(call: Pick<Call, 'state' | 'caller'>, versionId: number, tag: string): Version {
  if (!isSurelyPlainTag(tag))
    throw new Problem(400, 'a tag has letters, digits, ".", "_" and "-" only, at most 32');
  return versionFor(call, versionId, new Problem(403, `you may not tag version ${versionId}`)).version;
}

const isTaken = (state: State, { organizationId }: User, tag: string): boolean =>
  state.versions.find(
    ({ tags, appId }) => tags.includes(tag) && state.apps.get(appId)?.organizationId === organizationId,
  ) !== undefined;

export const versions: HandlersOf<'versions'> = {
  get(call) {
    const { version, app } = versionFor(call, call.input.versionId);
    return { ...shortVersionView(version, call), appId: app.id, name: version.name };
  },

  delete(call) {
    call.state.versions.remove(versionFor(call, call.input.versionId).version.id);
  },

  assignTag({ state, caller, input: { versionId, name } }) {
    const version = taggable({ state, caller }, versionId, name);
    if (isTaken(state, caller, name)) throw new Problem(400, 'the organization has this tag already');
    state.versions.put({ ...version, tags: [...version.tags, name] });
  },

  unassignTag({ state, caller, input: { versionId, name } }) {
    const version = taggable({ state, caller }, versionId, name);
    if (!version.tags.includes(name)) throw notFound(`such tag of version ${versionId}`);
    state.versions.put({ ...version, tags: version.tags.filter((tag) => tag !== name) });
  },
};
