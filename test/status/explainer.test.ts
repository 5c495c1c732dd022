import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../src/agent/state.ts';
import type { Timeline, TimelineQuery } from '../../src/diagnosis/explain/timeline-query.ts';
import { type Explained, explain } from '../../src/status/explainer.ts';
import { host, phone } from '../support/sample-status.ts';

const slots = ['rack 2, shelf 3, bay 1', 'rack 2, shelf 3, bay 2'];
const [first = ''] = slots;
const portPaths = ['pci-0000:00:14.0-usb-0:4.1', '1-4.1'];
const usbPath = portPaths[0];
const hub = 'pci-0000:00:14.0-usb-0:4';

const state = {
  phones: [
    {
      device: {
        ...{ udid: 'P1', serial: 'P1', connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
        ...{ devpath: '1-4.1', portPaths },
      },
      info: { udid: 'P1', deviceName: 'Kiosk', state: 'device' } as AgentState['phones'][number]['info'],
      remedy: '',
      slot: first,
      isSilent: false,
    },
  ],
} as Pick<AgentState, 'phones'>;

const status = host([phone({ udid: 'P1', name: 'Kiosk', slot: first })]);

function explaining(parts: Partial<Explained> = {}) {
  const asked: TimelineQuery[] = [];
  const timeline = async (query: TimelineQuery): Promise<Timeline> => {
    asked.push(query);
    return { events: [], hasMore: false };
  };
  const from = { present: status, state, slots, timeline, ...parts };
  return { asked, why: (name: string) => explain(name, { since: 7, limit: 50 }, from) };
}

describe('the explainer', () => {
  it('asks the history once, for what is named and for the notes on its places', async () => {
    const { asked, why } = explaining();
    for (const name of ['kiosk', first, 'rack 2, shelf 3', slots[1] ?? '', '1-4.1', '1-4', 'host'])
      await why(name);
    const common = { since: 7, most: 500 };
    const here = { slots: [first, 'rack 2, shelf 3'], usbPaths: [usbPath], hubs: [hub] };
    const none = { usbPaths: [], hubs: [] };
    expect(asked).toEqual([
      { ...common, of: { udids: ['P1'] }, places: here },
      { ...common, of: { slots: [first] }, places: here },
      { ...common, of: { slots }, places: { ...here, slots: [first, 'rack 2, shelf 3', slots[1]] } },
      { ...common, of: { slots: [slots[1]] }, places: { ...none, slots: [slots[1], 'rack 2, shelf 3'] } },
      { ...common, of: { usbPath }, places: here },
      { ...common, of: { hub }, places: here },
      { ...common, of: { isOfNone: true }, places: { ...none, slots: [] } },
    ]);
  });

  it('looks at more events where a longer timeline is wanted', async () => {
    const asked: number[] = [];
    const timeline = async ({ most }: TimelineQuery): Promise<Timeline> => {
      asked.push(most);
      return { events: [], hasMore: false };
    };
    for (const limit of [1, 20, 50, 1000])
      await explain('P1', { since: 0, limit }, { present: status, state, slots, timeline });
    expect(asked).toEqual([200, 200, 500, 1000]);
  });

  it('answers what is so now where the history does not answer, and says why the rest is missing', async () => {
    const timeline = () => Promise.reject(new Error('no answer\u001b[31m within 10 s'));
    expect(await explaining({ timeline }).why('P1')).toMatchObject({
      now: 'Kiosk is fine',
      timeline: [],
      historyProblem: 'no answer [31m within 10 s',
    });
  });

  it('has a printable answer to a hostile name', async () => {
    await expect(explaining().why('\u001b[2J\u202eX')).rejects.toMatchObject({
      isKnown: false,
      message: expect.not.stringMatching(/[\p{Cc}\u202e]/u),
    });
  });

  it('asks for patience while no agent runs', async () => {
    await expect(explaining({ present: undefined }).why('P1')).rejects.toMatchObject({ statusCode: 503 });
  });
});
