import { describe, expect, it } from 'vitest';
import { deviceIdOf } from '../../../src/cli/cloud/call.ts';
import type { CloudClient } from '../../../src/cloud/client.ts';
import type { Device, DevicesQuery } from '../../../src/cloud/contract/devices.ts';

const known: Device[] = [
  { id: 1, udid: 'A1', deviceName: 'Kiosk' },
  { id: 2, udid: 'B2', deviceName: 'Spare' },
  { id: 3, udid: 'C3', deviceName: 'Spare' },
  { id: 4, udid: '12345', deviceName: 'A1' },
];

/** Looks a name up in a cloud that ignores its filters, as some may. */
async function lookedUp(name: string) {
  const queries: DevicesQuery[] = [];
  const list = async (query: DevicesQuery = {}) => {
    queries.push(query);
    // a favorite is listed twice, the second time without its udid
    const favoriteDevices = known.map(({ udid: _, ...device }) => device);
    return { privateDevices: known, favoriteDevices, cloudDevices: known.slice(0, 1) };
  };
  const client = { devices: { list } } as unknown as Pick<CloudClient, 'devices'>;
  const outcome = await deviceIdOf(client, name).catch((error: Error) => error.message);
  return { outcome, queries };
}

describe('deviceIdOf', () => {
  it('sends a number as it is, without a question to the cloud', async () => {
    expect(await lookedUp('12345')).toEqual({ outcome: '12345', queries: [] });
  });

  it('takes a udid before a name', async () => {
    expect(await lookedUp('A1')).toEqual({ outcome: '1', queries: [{ udid: 'A1' }] });
    expect(await lookedUp('Kiosk')).toMatchObject({ outcome: '1' });
  });

  it('asks which one, where several have the name', async () => {
    expect((await lookedUp('Spare')).outcome).toBe(
      'several devices have the name "Spare"; use an id: 2 (B2), 3 (C3)',
    );
  });

  it('sends what it does not find as it is, and no name with a comma to the filter', async () => {
    expect((await lookedUp('dev-x')).outcome).toBe('dev-x');
    expect(await lookedUp('a,b')).toEqual({ outcome: 'a,b', queries: [{ udid: 'a,b' }] });
  });
});
