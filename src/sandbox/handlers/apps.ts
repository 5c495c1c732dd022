/** Apps: the three steps of an upload, reads, deletion, and who may use them. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path/posix';
import { appFor, listedApp, mayUse, removeApp, singleApp } from '../apps.ts';
import { type Call, type HandlersOf, notFound, Problem, timeOf } from '../handler.ts';
import type { App } from '../state.ts';

const DELETED = 'The app was deleted';
const NOT_FOUND = 'The app was not found';

/** To everybody of the organization, or to its creator alone. */
function open({ state, caller }: Call, appId: number, access: App['access']): undefined {
  state.apps.put({ ...appFor(state, caller, appId), access, assignedTeams: [] });
}

export const apps: HandlersOf<'apps'> = {
  list: (call) =>
    call.state.apps.filter((app) => mayUse(call.state, call.caller, app)).map((app) => listedApp(app, call)),

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
    const outcomes = new Map<string, number[]>();
    for (const appId of new Set(appIds)) {
      const app = state.apps.get(appId);
      const isFound = app !== undefined && mayUse(state, caller, app);
      if (isFound) removeApp(state, appId);
      const message = isFound ? DELETED : NOT_FOUND;
      outcomes.set(message, [...(outcomes.get(message) ?? []), appId]);
    }
    return {
      deleted: outcomes.get(DELETED)?.length ?? 0,
      failed: outcomes.get(NOT_FOUND)?.length ?? 0,
      result: Array.from(outcomes, ([message, ids]) => ({ message, appIds: ids })),
    };
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
