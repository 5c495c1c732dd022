/** The operations of v2 that are known in part. */
import { type HandlersOf, Problem } from '../handler.ts';
import type { Role, State, User } from '../state.ts';
import { appFor, singleApp, stateOf, versionsOf, versionView } from './apps.ts';
import { addMember } from './users.ts';

const permissions: Record<Role, readonly string[]> = { ADMIN: ['org_management.modify'], MEMBER: [] };

/** Our name for what the API's document does not name: the udids of devices whose reservations are to end. */
const UDIDS = 'device_udids';

const isOwn = (state: State, caller: User, userId: number): boolean =>
  state.users.get(userId)?.organizationId === caller.organizationId;

/** May the user end it? Their own, or as an admin each of the organization. */
const mayTerminate = (state: State, caller: User, userId: number): boolean =>
  userId === caller.id || (caller.role === 'ADMIN' && isOwn(state, caller, userId));

export const v2: HandlersOf<'v2'> = {
  terminateReservations({ state, caller, input }) {
    const ids = new Set(input.reservation_ids.map(String));
    const { [UDIDS]: udids = [] } = input as { [UDIDS]?: unknown };
    if (!Array.isArray(udids) || !udids.every((udid) => typeof udid === 'string'))
      throw new Problem(400, `${UDIDS} must be a list of texts`);
    const ofUdids = udids.map((udid: string) => {
      const device = state.device(udid);
      const reservation = device && state.reservationOf(device.id);
      // what another organization booked is nobody's business
      return {
        udid,
        reservation: reservation && isOwn(state, caller, reservation.userId) ? reservation : undefined,
      };
    });
    const meant = [
      ...state.reservations.filter(({ id }) => ids.has(String(id))),
      ...ofUdids.flatMap(({ reservation }) => reservation ?? []),
    ];
    const failed = ofUdids.filter(({ reservation }) => reservation === undefined).map(({ udid }) => udid);
    for (const { id, userId } of meant)
      if (mayTerminate(state, caller, userId)) state.reservations.remove(id);
    return { failed };
  },

  getApp(call) {
    const { state, services, input } = call;
    const app = appFor(state, call.caller, input.appId);
    const versions = versionsOf(state, app.id);
    const latest = versions.findLast((version) => stateOf(version, services.now()) !== 'PARSING');
    const shown = input.includeAllAppVersions ? versions : versions.slice(-1);
    return {
      ...singleApp(app, call),
      versions: shown.map((version) => versionView(version, call)),
      latest_version: latest && versionView(latest, call),
    };
  },

  createMember({ state, caller, input }) {
    if (!permissions[caller.role].includes('org_management.modify'))
      throw new Problem(403, 'this needs the permission org_management.modify');
    const { email, username, first_name, last_name: lastName = '', enable_sso: isSso = false } = input;
    addMember(state, caller, { email, username, firstName: first_name || email, lastName, isSso });
  },
};
