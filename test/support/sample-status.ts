/** A host's status by hand, and a source that gives it. */
import type { HostStatus, PhoneDetail, PhoneStatus } from '../../src/status/host-status.ts';
import type { StatusSource } from '../../src/status/status-model.ts';

export const NOW = Date.UTC(2026, 10, 21, 12);

export const phone = (changes: Partial<PhoneStatus> = {}): PhoneStatus => ({
  udid: 'R58M1',
  serial: 'R58M1',
  name: 'Kiosk',
  connection: 'usb',
  attached: true,
  state: 'device',
  since: NOW - 60_000,
  condition: 'fine',
  sign: '',
  message: '',
  ...changes,
});

export const host = (phones: PhoneStatus[], changes: Partial<HostStatus> = {}): HostStatus => ({
  takenAt: NOW,
  host: { name: 'lab-07', nodeId: 'rack-2', version: '1.2.3', startedAt: NOW - 3_600_000 },
  adb: { address: '127.0.0.1:5037', state: 'listed', since: NOW - 3_600_000, version: 41 },
  reports: { storedAt: NOW - 12_000, nextAt: NOW + 48_000 },
  counts: { phones: phones.length, fine: phones.length, needsAttention: 0, maintenance: 0, unknown: 0 },
  causes: [],
  notices: [],
  bands: [{ name: '', bays: phones.map(({ udid }) => ({ name: udid, udid })) }],
  phones,
  ...changes,
});

/** A status that a test exchanges. */
export class SampleSource implements StatusSource {
  current: HostStatus | undefined;
  isProgressing = true;
  /** How often it was asked. */
  asked = 0;
  onChange: () => void = () => {};

  constructor(current?: HostStatus) {
    this.current = current;
  }

  status(): HostStatus | undefined {
    this.asked += 1;
    return this.current;
  }

  async phone(udid: string): Promise<PhoneDetail | undefined> {
    const found = this.current?.phones.find((each) => each.udid === udid);
    return found && { ...found, facts: [], history: [] };
  }

  change(status: HostStatus | undefined): void {
    this.current = status;
    this.onChange();
  }
}
