/** What the agent needs of the cloud: it reports devices, reads them back, and asks which are booked. */
import * as z from 'zod';
import { LONGEST_IDENTIFIER, safeIdentifier } from '../base/printable.ts';
import { yieldToLoop } from '../base/time.ts';
import { CloudConnection, type ConnectionOptions } from './connection.ts';
import { type DeviceList, type DevicesQuery, devices } from './contract/devices.ts';
import type { DevicesAnswer, DevicesBody, FailedDevice } from './contract/report.ts';
import { CloudAnswerTooLongError } from './errors.ts';
import { hiding, type Redact, shown } from './redaction.ts';
import { prepare } from './request.ts';

/** One request per call. Each throws a `CloudError`, whose class says what helps, or the signal's reason. */
export class AgentClient {
  readonly #connection: CloudConnection;
  /** By udid. */
  readonly #ids = new Map<string, string>();

  constructor(options: ConnectionOptions) {
    this.#connection = new CloudConnection(options);
  }

  /** Reports the host and its devices: `PUT /devices`. The body is not checked once more: its types are ours. */
  async putDevices(body: DevicesBody, signal?: AbortSignal): Promise<DevicesAnswer> {
    const hide = hiding(identifiersOf(body));
    const operation = devices.report;
    const request = { operation, path: operation.path, query: new URLSearchParams(), body, hide };
    const { failedDevices } = await this.#connection.send(request, { signal });
    const sent = new Set(body.devices?.map(({ udid }) => udid));
    const redact: Redact = (text) => this.#connection.redact(hide(text));
    return { failedDevices: await presentable(failedDevices, sent, redact) };
  }

  /** Lists the devices that the account can see: `GET /devices`. */
  getDevices(query: DevicesQuery = {}, signal?: AbortSignal): Promise<DeviceList> {
    return this.#connection.send(prepare(devices.list, query), { signal });
  }

  /**
   * The phones that the cloud has as plugged in: `GET /devices?isPlugged=true`, the whole list or one phone.
   *
   * @throws {CloudAnswerTooLongError} the list is too long to be read often
   */
  async pluggedIn(udid: string | undefined, signal: AbortSignal): Promise<PluggedIn> {
    const request = prepare(devices.list, { isPlugged: true, ...(udid !== undefined && { udid }) });
    const operation = { ...devices.list, answer: pluggedList };
    const sent = { ...request, operation, largestAnswerMiB: LARGEST_PLUGGED_MIB };
    const { privateDevices } = await this.#connection.send(sent, { signal });
    if (privateDevices.length > MOST_PLUGGED)
      throw new CloudAnswerTooLongError(`more than ${MOST_PLUGGED} devices`, { request: 'GET /devices' });
    return new Map(
      privateDevices.flatMap((each) => {
        const { data } = pluggedPhone.safeParse(each);
        return data ? [[data.udid, data.nodeId]] : [];
      }),
    );
  }

  /** Is it booked? `GET /devices/{id}/status`; the first time `GET /devices/{udid}` tells the id. */
  async isBooked(udid: string, signal: AbortSignal): Promise<boolean> {
    const known = this.#ids.get(udid);
    const read = () => this.#connection.send(prepare(devices.get, { deviceUDID: udid }), { signal });
    const id = known ?? String((await read()).id);
    this.#ids.set(udid, id);
    try {
      const { isBooked } = await this.#connection.send(prepare(devices.status, { deviceId: id }), { signal });
      return isBooked;
    } catch (error) {
      this.#ids.delete(udid); // the cloud may have given it another one
      throw error;
    }
  }

  /**
   * Ends the reservations of these devices that the account may end: `DELETE /v2/reservations/terminate`.
   *
   * @param field the name under which this cloud takes udids: the API does not show it
   */
  async endReservations(udids: readonly string[], field: string, signal: AbortSignal): Promise<void> {
    const { v2 } = await import('./contract/v2.ts'); // seldom needed
    const body = { reservation_ids: [], [field]: udids };
    const request = prepare(v2.terminateReservations, {} as never, { body });
    await this.#connection.send(request, { signal });
  }

  close(): void {
    this.#connection.close();
  }
}

/** Of the devices that were not sent, the most that are kept to be counted. */
export const MOST_UNSENT_KEPT = 20_000;
const DEVICES_A_TURN = 20;

/**
 * The failed devices, each once with its first message, as printable lines without secrets. An answer may name any number
 * of them: leaves turns to the event loop.
 *
 * @param sent the udids of the request
 */
export async function presentable(
  failedDevices: readonly FailedDevice[],
  sent: ReadonlySet<string>,
  redact: Redact,
): Promise<FailedDevice[]> {
  const isSent = ({ udid }: FailedDevice) => sent.has(udid);
  const unsent = failedDevices.filter((each) => !isSent(each)).slice(0, MOST_UNSENT_KEPT);
  const messages = new Map<string, string>();
  for (const { udid, message } of [...failedDevices.filter(isSent), ...unsent])
    if (!messages.has(udid)) messages.set(udid, message);
  const presented = new Map<string, FailedDevice>();
  let seen = 0;
  for (const [given, message] of messages) {
    if (seen % DEVICES_A_TURN === 0) await yieldToLoop();
    seen += 1;
    // a udid that we did not send is the cloud's own text, which may look like one that we sent
    const udid = sent.has(given) ? given : shown(given, redact, LONGEST_IDENTIFIER);
    if (!presented.has(udid)) presented.set(udid, { udid, message: shown(message, redact) });
  }
  return [...presented.values()];
}

/** By udid; with the host that has it, where the cloud says so. */
export type PluggedIn = ReadonlyMap<string, string | undefined>;

/** Some 5,000 phones: what takes longer to read would hold the agent. */
const LARGEST_PLUGGED_MIB = 2;
/** The same of entries that say next to nothing. */
const MOST_PLUGGED = 10_000;

/** Only what reading back needs: an odd entry costs itself. The API does not say that a list names the host. */
const pluggedList = z.looseObject({ privateDevices: z.array(z.unknown()) });
const identifier = z.string().refine((text) => text !== '' && safeIdentifier(text) === text);
const pluggedPhone = z.object({
  udid: identifier,
  nodeId: identifier.optional().catch(undefined),
  /** Of a cloud that does not know the filter. */
  isPlugged: z.literal(true).optional(),
});

const identifiersOf = ({ devices: reported = [] }: DevicesBody): string[] =>
  reported
    .flatMap(({ telephony }) => telephony?.carriersInfo ?? [])
    .flatMap(({ imei, meid, iccid }) => [imei, meid, iccid])
    .filter((identifier) => identifier !== undefined);
