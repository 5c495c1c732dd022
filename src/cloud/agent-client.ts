/** What the agent needs of the cloud: it reports devices, and the doctor lists them. It loads no other operation. */
import { version } from '../base/version.ts';
import { CloudConnection, type ConnectionOptions } from './connection.ts';
import { type DeviceList, type DevicesQuery, devices } from './contract/devices.ts';
import type { DevicesAnswer, DevicesBody } from './contract/report.ts';
import { presentable } from './failed-devices.ts';
import { hiding, type Redact } from './redaction.ts';
import { prepare } from './request.ts';

export type AgentClientOptions = Omit<ConnectionOptions, 'userAgent'> & { userAgent?: string };

/** One request per call. The class of an error says what helps; the caller acts on it. */
export class AgentClient {
  readonly #connection: CloudConnection;

  constructor(options: AgentClientOptions) {
    this.#connection = new CloudConnection({ userAgent: `hostnode/${version}`, ...options });
  }

  /**
   * Reports the host and its devices: `PUT /devices`. The body is not checked once more: its types are ours.
   *
   * @throws {CloudError}, or the signal's reason
   */
  async putDevices(body: DevicesBody, signal?: AbortSignal): Promise<DevicesAnswer> {
    const hide = hiding(identifiersOf(body));
    const operation = devices.report;
    const request = { operation, path: operation.path, query: new URLSearchParams(), body, hide };
    const { failedDevices } = await this.#connection.send(request, signal);
    const sent = new Set(body.devices?.map(({ udid }) => udid));
    const redact: Redact = (text) => this.#connection.redact(hide(text));
    return { failedDevices: await presentable(failedDevices, sent, redact) };
  }

  /**
   * Lists the devices that the account can see: `GET /devices`.
   *
   * @throws {CloudError}, or the signal's reason
   */
  getDevices(query: DevicesQuery = {}, signal?: AbortSignal): Promise<DeviceList> {
    return this.#connection.send(prepare(devices.list, query), signal);
  }

  close(): void {
    this.#connection.close();
  }
}

/** The identifiers of phones and SIMs in the mobile network that the report contains. */
const identifiersOf = ({ devices: reported = [] }: DevicesBody): string[] =>
  reported
    .flatMap(({ telephony }) => telephony?.carriersInfo ?? [])
    .flatMap(({ imei, meid, iccid }) => [imei, meid, iccid])
    .filter((identifier) => identifier !== undefined);
