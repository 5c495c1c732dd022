/** Apps and versions as the API answers them. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { versionsOf } from './app-access.ts';
import type { Call } from './handler.ts';
import type { App, State, Version } from './state.ts';

/** The document knows OK; PARSING and FAILED are our words. */
export type VersionState = 'OK' | 'PARSING' | 'FAILED';

export function stateOf({ parsed, parsedAt }: Version, now: number): VersionState {
  if (parsed === undefined || now < parsedAt) return 'PARSING';
  return parsed === null ? 'FAILED' : 'OK';
}

const usernameOf = (state: State, id: number): string | undefined => state.users.get(id)?.username;

/** What is known once it is parsed. */
function propertiesOf(version: Version, { around, state }: Pick<Call, 'around' | 'state'>) {
  const { parsed, id } = version;
  if (!parsed || stateOf(version, around.now()) !== 'OK') return undefined;
  const { package: name, icon, label, versionName } = parsed;
  const iconUrl = state.icons.get(id) && around.iconUrl(id);
  return { package: name, application: omitUndefined({ icon, label, versionName, iconUrl }) };
}

/** A version as in the list of apps. */
export function versionView(version: Version, call: Pick<Call, 'around' | 'state'>) {
  const { id, createdAt, name, createdBy } = version;
  const nativeProperties = propertiesOf(version, call);
  return omitUndefined({
    id,
    createdAt,
    name,
    version: nativeProperties?.application.versionName,
    createdBy: usernameOf(call.state, createdBy),
    state: stateOf(version, call.around.now()),
    nativeProperties,
  });
}

/** A version as in the reads of one app and one version. */
export function shortVersionView(version: Version, call: Pick<Call, 'around' | 'state'>) {
  const { id, state, version: label } = versionView(version, call);
  return omitUndefined({ id, state, version: label });
}

/** What the two reads of apps have in common: its state is that of its newest version. */
function appView(app: App, call: Pick<Call, 'around' | 'state'>) {
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
    state: newest && stateOf(newest, call.around.now()),
    iconUrl: application?.iconUrl,
  });
}

/** An app as in the list. */
export const listedApp = (app: App, call: Pick<Call, 'around' | 'state'>) => ({
  ...appView(app, call),
  versions: versionsOf(call.state, app.id).map((version) => versionView(version, call)),
});

/** An app as in the read of one. */
export const singleApp = (app: App, call: Pick<Call, 'around' | 'state'>) => ({
  ...appView(app, call),
  versions: versionsOf(call.state, app.id).map((version) => shortVersionView(version, call)),
  assignedTeams: app.assignedTeams.map(({ id, teamId }) => ({ id, teamId, appId: app.id })),
});
