/** The control API: what a test changes behind the API's back. It asks for no credentials. */

import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { parseJson } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { operationOf } from '../cloud/contract/index.ts';
import { CloudFault, STORAGE } from './fault.ts';
import { methodNotAllowed, notFound, Problem, problem, type Reply, replyOf, timeOf } from './handler.ts';
import { Seed } from './seed.ts';
import type { Reservation, State, Whole } from './state.ts';

const Clock = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advanceSeconds: z.int() }),
]);
/** Times that can be written, also that of the end of a URL or an app's reading. */
const EARLIEST = 0;
const LATEST = Date.parse('9998-12-31T23:59:59Z');
const Fault = z.strictObject({
  fault: CloudFault,
  /** For so many requests; by default one; null: until the faults are removed. */
  times: z._default(z.int().positive().nullable(), 1),
  /** Only for this operation, `devices.report`, or for the `storage`. */
  operation: z.exactOptional(
    z.string().refine((id) => id === STORAGE || operationOf(id) !== undefined, {
      error: 'there is no such operation',
    }),
  ),
});
const Booking = z.strictObject({
  udid: z.string(),
  username: z.exactOptional(z.string()),
  /** It ends so long after, by the sandbox's clock; by default when somebody ends it. */
  seconds: z.exactOptional(z.int().positive().max(31_536_000)),
});

interface Controlled extends Whole {
  readonly info: object;
  readonly requests: object[];
  setNow(ms: number): void;
  reset(seed?: Seed): void;
}

/** By name and method; `body` is parsed JSON. */
type Answers = Readonly<Record<string, Readonly<Record<string, (body: unknown) => unknown>>>>;

function answersOf(sandbox: Controlled): Answers {
  const clock = () => ({ now: timeOf(sandbox.now()) });
  return {
    info: { GET: () => sandbox.info },
    requests: {
      GET: () => sandbox.requests,
      DELETE: () => void sandbox.requests.splice(0),
    },
    reset: { POST: () => sandbox.reset() },
    seed: { PUT: (body) => sandbox.reset(Seed.parse(body)) },
    clock: {
      GET: clock,
      PUT: (body) => {
        const wanted = Clock.parse(body);
        const ms = 'now' in wanted ? Date.parse(wanted.now) : sandbox.now() + wanted.advanceSeconds * 1000;
        if (!(ms >= EARLIEST && ms <= LATEST))
          throw new Problem(400, 'the clock must stay between the years 1970 and 9998');
        sandbox.setNow(ms);
        return clock();
      },
    },
    faults: {
      POST: (body) => {
        const { fault, times, operation } = Fault.parse(body);
        if (times === null) sandbox.faults.always(fault, operation);
        else sandbox.faults.next(fault, times, operation);
      },
      DELETE: () => sandbox.faults.clear(),
    },
    bookings: {
      GET: () => {
        const { state } = sandbox;
        endOver(state, sandbox.now());
        return state.reservations.all().map((each) => bookingView(state, each));
      },
      POST: (body) => {
        const { udid, username, seconds } = Booking.parse(body);
        const made = (state: State) => book(state, sandbox.now(), udid, username, seconds);
        return sandbox.change((state) => bookingView(state, made(state)));
      },
      DELETE: (body) => sandbox.change((state) => endBooking(state, Booking.parse(body).udid)),
    },
  };
}

/**
 * Answers requests for `/control/…`.
 *
 * @param text of the body; undefined if it is too long
 */
export function answerControl(
  sandbox: Controlled,
  { method = '', headers: { host = '', origin } }: IncomingMessage,
  pathname: string,
  text: string | undefined,
): Reply {
  // a page in somebody's browser: it has an origin, or came by a name of its own
  if (origin !== undefined || !/^(127\.0\.0\.1|localhost)(:\d{1,5})?$/.test(host))
    return problem(403, 'the control side is not for web pages');
  const answers = answersOf(sandbox);
  const found = new Map(Object.entries(answers)).get(pathname.replace(/^\/control\/?/, ''));
  if (found === undefined)
    return problem(404, `there is no ${pathname}; there are ${Object.keys(answers).join(', ')}`);
  const answer = Object.hasOwn(found, method) ? found[method] : undefined;
  if (answer === undefined) return methodNotAllowed(method, Object.keys(found));
  return replyOf(() => answer(text ? parseJson(text) : undefined));
}

// users book devices with means that this API does not have

/**
 * @param username who books it, by default the first user
 * @param seconds for how long; by default until somebody ends it
 * @throws {Problem} there is no such device or user, or it is booked
 */
export function book(state: State, now: number, udid: string, username?: string, seconds?: number) {
  endOver(state, now);
  const device = state.device(udid);
  if (device === undefined) throw notFound(`device ${udid}`);
  const user = state.users.find((each) => username === undefined || each.username === username);
  if (user === undefined) throw notFound(`user ${username}`);
  if (state.reservationOf(device.id) !== undefined) throw new Problem(409, `${udid} is booked`);
  const endsAt = seconds === undefined ? undefined : timeOf(now + seconds * 1000);
  const reservation = { deviceId: device.id, userId: user.id, createdAt: timeOf(now) };
  return state.reservations.add(omitUndefined({ ...reservation, endsAt }));
}

export function endOver(state: State, now: number): void {
  for (const { id, endsAt } of state.reservations.all())
    if (endsAt !== undefined && Date.parse(endsAt) <= now) state.reservations.remove(id);
}

/** @throws {Problem} it is not booked */
function endBooking(state: State, udid: string): void {
  const reservation = state.reservationOf(state.device(udid)?.id ?? 0);
  if (reservation === undefined) throw notFound(`booking of ${udid}`);
  state.reservations.remove(reservation.id);
}

function bookingView(state: State, { id, deviceId, userId }: Reservation) {
  return { id, udid: state.devices.get(deviceId)?.info.udid, username: state.users.get(userId)?.username };
}
