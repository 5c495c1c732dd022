/** Apps and versions: who may use them, and how the API answers them. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Call, notFound } from './handler.ts';
import type { App, State, User, Version } from './state.ts';

/** Everybody of the organization, its creator, or the members of some teams. */
export function mayUse(state: State, user: User, app: App): boolean {
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

/** @throws {Problem} 404, also if it is hidden from the user */
export function versionFor(state: State, user: User, versionId: number): { version: Version; app: App } {
  const version = state.versions.get(versionId);
  const app = version && state.apps.get(version.appId);
  if (version === undefined || app === undefined || !mayUse(state, user, app))
    throw notFound(`version ${versionId}`);
  return { version, app };
}

export const versionsOf = (state: State, appId: number): Version[] =>
  state.versions.filter((version) => version.appId === appId);

export function removeVersion(state: State, versionId: number): void {
  state.icons.remove(versionId);
  state.versions.remove(versionId);
}

export function removeApp(state: State, appId: number): void {
  for (const { id } of versionsOf(state, appId)) removeVersion(state, id);
  state.apps.remove(appId);
}

/** The document knows OK; PARSING and FAILED are our words. */
export type VersionState = 'OK' | 'PARSING' | 'FAILED';

export function stateOf({ parsed, parsedAt }: Version, now: number): VersionState {
  if (parsed === undefined || now < parsedAt) return 'PARSING';
  return parsed === null ? 'FAILED' : 'OK';
}

const usernameOf = (state: State, id: number): string | undefined => state.users.get(id)?.username;

/** What is known once it is parsed. */
function propertiesOf(version: Version, { services, state }: Pick<Call, 'services' | 'state'>) {
  const { parsed, id } = version;
  if (!parsed || stateOf(version, services.now()) !== 'OK') return undefined;
  const { package: name, icon, label, versionName } = parsed;
  const hasIcon = state.icons.get(id) !== undefined;
  const iconUrl = hasIcon ? services.iconUrl(id) : undefined;
  const iconLocalPath = hasIcon ? `icons/${id}` : undefined;
  return { package: name, application: omitUndefined({ icon, label, versionName, iconLocalPath, iconUrl }) };
}

/** A version as in the list of apps. */
export function versionView(version: Version, call: Pick<Call, 'services' | 'state'>) {
  const { id, createdAt, name, createdBy } = version;
  const nativeProperties = propertiesOf(version, call);
  return omitUndefined({
    id,
    createdAt,
    name,
    version: nativeProperties?.application.versionName,
    createdBy: usernameOf(call.state, createdBy),
    state: stateOf(version, call.services.now()),
    nativeProperties,
  });
}

/** A version as in the reads of one app and one version. */
export function shortVersionView(version: Version, call: Pick<Call, 'services' | 'state'>) {
  const { id, state, version: label } = versionView(version, call);
  return omitUndefined({ id, state, version: label });
}

/** What the two reads of apps have in common: its state is that of its newest version. */
function appView(app: App, call: Pick<Call, 'services' | 'state'>) {
  const { id, createdAt, name, access, createdBy } = app;
  const newest = versionsOf(call.state, id).at(-1);
  const application = newest && propertiesOf(newest, call)?.application;
  return omitUndefined({
    id,
    createdAt,
    name: application?.label ?? name,
    privateAccess: access === 'private',
    os: application && 'ANDROID',
    createdBy: usernameOf(call.state, createdBy),
    state: newest && stateOf(newest, call.services.now()),
    iconUrl: application?.iconUrl,
  });
}

/** An app as in the list. */
export const listedApp = (app: App, call: Pick<Call, 'services' | 'state'>) => ({
  ...appView(app, call),
  versions: versionsOf(call.state, app.id).map((version) => versionView(version, call)),
});

/** An app as in the read of one. */
export const singleApp = (app: App, call: Pick<Call, 'services' | 'state'>) => ({
  ...appView(app, call),
  versions: versionsOf(call.state, app.id).map((version) => shortVersionView(version, call)),
  assignedTeams: app.assignedTeams.map(({ id, teamId }) => ({ id, teamId, appId: app.id })),
});
