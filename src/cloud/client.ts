import type { ZodType } from 'zod';
import { jsonInTurns } from '../base/json-in-turns.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { DeviceList, DevicesAnswer, type DevicesBody, type DevicesQuery } from './contract.ts';
import { CloudAnswerError, CloudRedirectError } from './errors.ts';
import { presentable } from './failed-devices.ts';
import { failureOfStatus, hiding, type Redact, redactor, shown, wordsIn } from './failure.ts';
import { Http, type HttpOptions } from './http.ts';

export interface CloudClientOptions extends Omit<HttpOptions, 'protocol'> {
  /** The API's root, e.g. `https://cloud.example/v1`: no credentials, no query. */
  baseUrl: string;
  /** User name or e-mail address. */
  username: string;
  apiKey: string;
  /** hostnode's version, for the User-Agent. */
  version: string;
}

/** Calls the cloud's API, one request per call. The class of an error says what helps; the caller acts on it. */
export class CloudClient {
  readonly #baseUrl: string;
  readonly #redact: Redact;
  readonly #http: Http;

  constructor({ baseUrl, username, apiKey, version, ...options }: CloudClientOptions) {
    const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#redact = redactor([credentials, apiKey]);
    this.#http = new Http(
      {
        accept: 'application/json',
        authorization: `Basic ${credentials}`,
        'user-agent': `hostnode/${version}`,
      },
      { protocol: new URL(baseUrl).protocol, ...options },
    );
  }

  /**
   * Reports the host and its devices: `PUT /devices`.
   *
   * @throws {CloudError}, or the signal's reason
   */
  async putDevices(body: DevicesBody, signal?: AbortSignal): Promise<DevicesAnswer> {
    const url = new URL(`${this.#baseUrl}/devices`);
    const hide = hiding(identifiersOf(body));
    const redact: Redact = (text, budget) => this.#redact(hide(text), budget);
    const { failedDevices } = await this.#request('PUT', url, DevicesAnswer, redact, body, signal);
    const sent = new Set(body.devices?.map(({ udid }) => udid));
    return { failedDevices: await presentable(failedDevices, sent, redact) };
  }

  /**
   * Lists the devices that the account can see: `GET /devices`.
   *
   * @throws {CloudError}, or the signal's reason
   */
  getDevices(query: DevicesQuery = {}, signal?: AbortSignal): Promise<DeviceList> {
    const url = new URL(`${this.#baseUrl}/devices`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return this.#request('GET', url, DeviceList, this.#redact, undefined, signal);
  }

  close(): void {
    this.#http.close();
  }

  async #request<T>(
    method: 'GET' | 'PUT',
    url: URL,
    schema: ZodType<T>,
    redact: Redact,
    body: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const request = `${method} ${address(url)}`;
    const json = body && (await jsonInTurns(body));
    const { status, headers, text, isWhole } = await this.#http.send(method, url, request, json, signal);
    if (status >= 300 && status < 400) {
      const target = shown(redirectTarget(headers.location, url), redact);
      const seen = `${status}, not followed: redirects to ${target}`;
      throw new CloudRedirectError(seen, { request, status, remedy: 'check the base URL' });
    }
    if (status >= 400) {
      const { date, 'retry-after': retryAfter } = headers;
      throw failureOfStatus({ request, status, retryAfter, date, body: text }, redact, Date.now());
    }
    const answer = status === 200 && isWhole ? schema.safeParse(parseJson(text)) : undefined;
    if (answer?.success) return answer.data;
    const seen = `the answer is not one of this API: ${status}${isWhole ? '' : ', over 1 MiB'}`;
    const said = wordsIn(text, redact);
    throw new CloudAnswerError(seen, omitUndefined({ request, status, said, remedy: 'check the base URL' }));
  }
}

/** The identifiers of phones and SIMs in the mobile network that the report contains. */
const identifiersOf = ({ devices = [] }: DevicesBody): string[] =>
  devices
    .flatMap(({ telephony }) => telephony?.carriersInfo ?? [])
    .flatMap(({ imei, meid, iccid }) => [imei, meid, iccid])
    .filter((identifier) => identifier !== undefined);

const address = ({ origin, pathname }: URL): string => printable(`${origin}${pathname}`);

function redirectTarget(location: string | undefined, from: URL): string {
  const target = location === undefined ? null : URL.parse(location, from.href);
  return target === null ? 'no address' : `${target.origin}${target.pathname}`;
}

/** The value of a JSON text; undefined for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
