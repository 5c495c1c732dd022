/** Books devices, as users do with means that this API does not have. */
import { notFound, Problem, timeOf } from './handler.ts';
import type { Reservation, State } from './state.ts';

/**
 * @param username of who books it; by default the first user
 * @throws {Problem} there is no such device or user, or it is booked
 */
export function book(state: State, now: number, udid: string, username?: string): Reservation {
  const device = state.device(udid);
  if (device === undefined) throw notFound(`device ${udid}`);
  const user = state.users.find((each) => username === undefined || each.username === username);
  if (user === undefined) throw notFound(`user ${username}`);
  if (state.reservationOf(device.id) !== undefined) throw new Problem(409, `${udid} is booked`);
  return state.reservations.add({ deviceId: device.id, userId: user.id, createdAt: timeOf(now) });
}

/** @throws {Problem} it is not booked */
export function endBooking(state: State, udid: string): void {
  const reservation = state.reservationOf(state.device(udid)?.id ?? 0);
  if (reservation === undefined) throw notFound(`booking of ${udid}`);
  state.reservations.remove(reservation.id);
}

export function bookingView(state: State, { id, deviceId, userId }: Reservation) {
  return { id, udid: state.devices.get(deviceId)?.info.udid, username: state.users.get(userId)?.username };
}
