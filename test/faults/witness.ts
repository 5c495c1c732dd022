/** Sees all that the cloud is told, and compares it with what is true of the phones. */
import { standardTiming } from '../../src/agent/options.ts';
import { DeviceInfo, type DevicesBody } from '../../src/cloud/contract/report.ts';
import type { SandboxRequest } from '../../src/sandbox/log.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { asTold, type LabPhone, type Truth } from './lab-phone.ts';

/** Plugged in again for longer than the agent may wait for a phone to come to rest. */
const isLongBack = ({ isAttached, pluggedAt }: LabPhone): boolean =>
  isAttached && performance.now() - pluggedAt > standardTiming.longestDebounceMs;

export class Witness {
  /** What was told at any time and was never so. */
  readonly violations: string[] = [];
  /** Udids of what is plugged in and is no phone of the lab. */
  readonly guests = new Set<string>();
  /** Reports of all phones that the cloud has answered honestly. */
  fullReports = 0;
  /** Reports that have reached the cloud, whatever it answered. */
  reports = 0;
  /** What they said since the fault began, oldest first. */
  told: DevicesBody[] = [];
  readonly #cloud: Sandbox;
  readonly #phones: readonly LabPhone[];

  /** @param phones the lab's, those that come later included */
  constructor(cloud: Sandbox, phones: readonly LabPhone[]) {
    this.#cloud = cloud;
    this.#phones = phones;
    cloud.on('received', (request) => this.#judge(request));
    cloud.on('answered', (request) => this.#count(request));
  }

  /** Where the cloud does not hold what is true now. */
  differences(): string[] {
    const told = new Map<string, Truth>(
      this.#cloud.devices().map(({ info }) => [info.udid, asTold(DeviceInfo.parse(info))]),
    );
    const wrong = this.#known.flatMap(({ udid, truth }) => {
      const [is, should] = [told.get(udid), truth].map((value) => JSON.stringify(value));
      return is === should ? [] : [`${udid}: ${is} and not ${should}`];
    });
    const udids = new Set([...this.guests, ...this.#known.map(({ udid }) => udid)]);
    const strangers = [...told.values()].filter(
      ({ udid, status }) => status === 'PLUGGED' && !udids.has(udid),
    );
    return [...wrong, ...strangers.map((device) => `nobody knows ${JSON.stringify(device)}`)];
  }

  get #known(): LabPhone[] {
    return this.#phones.filter(({ isAttached, wasPulled }) => isAttached || wasPulled);
  }

  #judge({ body, method }: SandboxRequest): void {
    if (method !== 'PUT') return;
    this.reports += 1;
    this.told.push((body ?? {}) as DevicesBody);
    const { devices } = (body ?? {}) as DevicesBody;
    const isAnyAttached = this.#phones.some(({ isAttached, wasPulled }) => isAttached && !wasPulled);
    if (devices?.length === 0 && isAnyAttached) this.violations.push('the cloud was told of no phone at all');
    for (const { udid, status, modelName } of devices ?? []) {
      const phone = this.#phones.find((one) => one.udid === udid);
      if (phone === undefined) continue;
      if (status === 'UNPLUGGED' && !phone.wasPulled)
        this.violations.push(`${udid} was told to be unplugged`);
      else if (status === 'UNPLUGGED' && isLongBack(phone))
        this.violations.push(`${udid} was still told to be unplugged long after it was plugged in again`);
      if (modelName !== undefined && modelName !== phone.model)
        this.violations.push(`${udid} was told to be a ${modelName}`);
    }
  }

  #count({ body, status, answer, method }: SandboxRequest): void {
    if (method !== 'PUT' || answer === undefined) return;
    if (status === 400) this.violations.push(`not the contract: ${JSON.stringify(answer).slice(0, 1000)}`);
    const { devices = [] } = (body ?? {}) as DevicesBody;
    if (status === 200 && this.#known.length > 0 && devices.length >= this.#known.length)
      this.fullReports += 1;
  }
}
