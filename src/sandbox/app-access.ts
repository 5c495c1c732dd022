/** Who may use an app: everybody of the organization, its creator, or the members of some teams. */
import { notFound } from './handler.ts';
import type { App, State, User, Version } from './state.ts';

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
