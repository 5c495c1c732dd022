import { describe, expect, it } from 'vitest';
import { ruleInputOf } from '../../src/agent/rule-input.ts';
import type { AgentState, PhoneState } from '../../src/agent/state.ts';

const phone = (changes: Partial<PhoneState> = {}): PhoneState => ({
  device: {
    ...{ udid: 'A', serial: 'A', connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
    ...{ devpath: '1-4.2', portPaths: ['pci-0000:00:14.0-usb-0:4.2', '1-4.2'] },
  },
  info: {
    ...{ udid: 'A', state: 'device', message: '', deviceName: 'Kiosk' },
    ...{ serialNumber: 'R58M1', modelName: 'Pixel 8' },
  } as PhoneState['info'],
  remedy: '',
  isSilent: false,
  ...changes,
});

const state = (changes: Partial<AgentState> = {}): AgentState => ({
  nodeId: 'node-1',
  adb: { state: 'listed' },
  hasListed: true,
  reports: { notReporting: 'no cloud configured' },
  nextReportMs: 60_000,
  usbPorts: ['1-4.2', '1-5'],
  phones: [phone()],
  ...changes,
});

const lab = { expected: [], slots: [{ name: 'shelf 1, bay 2', paths: ['1-4.2'] }] };
const isInMaintenance = (udid: string) => udid === 'B';

describe('what rules see of a host', () => {
  it('takes a container on the network for an emulator', () => {
    const { device } = phone();
    const container = { ...device, connection: 'tcp' as const, identity: { isEmulator: true } };
    const input = ruleInputOf(state({ phones: [phone({ device: container })] }), lab, isInMaintenance, 77);
    expect(input?.phones).toMatchObject([{ connection: 'emulator' }]);
  });

  it('says of each phone where it is and how it is', () => {
    const facts = {
      battery: { levelPercent: 80 },
      storage: { totalBytes: 10, usedBytes: 9 },
      boot: { bootCompleted: true },
    };
    const snapshot = { facts, takenAt: 1, sectionsTakenAt: {}, failures: [], conversations: 1 };
    expect(
      ruleInputOf(
        state({ phones: [phone({ snapshot, slot: 'shelf 1, bay 2', alsoAt: ['192.168.1.7:5555'] })] }),
        lab,
        isInMaintenance,
        77,
      ),
    ).toEqual({
      at: 77,
      isAdbListed: true,
      phones: [
        {
          udid: 'A',
          serial: 'A',
          serialNumber: 'R58M1',
          model: 'Pixel 8',
          alsoAt: ['192.168.1.7:5555'],
          name: 'Kiosk',
          connection: 'usb',
          where: {
            slot: 'shelf 1, bay 2',
            devpath: '1-4.2',
            usbPath: 'pci-0000:00:14.0-usb-0:4.2',
            hub: 'pci-0000:00:14.0-usb-0:4',
          },
          attached: true,
          state: 'device',
          isInMaintenance: false,
          battery: facts.battery,
          storage: facts.storage,
          bootCompleted: true,
          remedy: '',
          isSilent: false,
        },
      ],
      adbPorts: ['1-4.2', '1-5'],
      setting: lab,
    });
  });

  it('marks those in maintenance', () => {
    const other = phone({ device: { ...phone().device, udid: 'B' } });
    const input = ruleInputOf(state({ phones: [phone(), other] }), lab, isInMaintenance, 0);
    expect(input?.phones.map(({ isInMaintenance }) => isInMaintenance)).toEqual([false, true]);
  });

  it('is plain data, which goes to a thread', () => {
    const input = ruleInputOf(state(), lab, isInMaintenance, 0);
    expect(structuredClone(input)).toEqual(input);
  });

  it.each<Partial<AgentState>>([
    { hasListed: false },
    { adb: { state: 'unknown' } },
    { adb: { state: 'unreachable', failure: 'gone', failureKind: 'absent' } },
  ])('is not known while adb has not listed its phones', (changes) => {
    expect(ruleInputOf(state(changes), lab, isInMaintenance, 0)).toBeUndefined();
  });
});
