/** The operations of v2 that are known in part. */
import { type HandlersOf, Problem } from '../handler.ts';
import type { State, User } from '../state.ts';
import { appFor, singleApp, stateOf, versionsOf, versionView } from './apps.ts';
import { addMember } from './users.ts';

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
    const reservations = udids.map((udid: string) => {
      const reservation = state.reservationOf(state.device(udid)?.id ?? 0);
      // what another organization booked is nobody's business
      return reservation && isOwn(state, caller, reservation.userId) ? reservation : undefined;
    });
    const meant = [
      ...state.reservations.filter(({ id }) => ids.has(String(id))),
      ...reservations.flatMap((reservation) => reservation ?? []),
    ];
    const failed = udids.filter((_, index) => reservations[index] === undefined);
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
    if (caller.role !== 'ADMIN')
      // the role that has it
      throw new Problem(403, 'this needs the permission org_management.modify');
    const { email, username, first_name, last_name: lastName = '', enable_sso: isSso = false } = input;
    addMember(state, caller, { email, username, firstName: first_name || email, lastName, isSso });
  },
};
