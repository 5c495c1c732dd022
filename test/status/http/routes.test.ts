import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HistoryUnavailableError } from '../../../src/history/store/history.ts';
import { App } from '../../../src/status/http/app.ts';
import { pastRoutes } from '../../../src/status/http/routes.ts';
import { sharedAnswers } from '../../../src/status/http/shared-answers.ts';
import type { PhonePast } from '../../../src/status/phone-past.ts';
import { silentLog } from '../../support/log.ts';
import { host, phone, SampleSource } from '../../support/sample-status.ts';

const day = { at: 0, onlineRatio: 1, losses: 0 };

/** A past that answers for `P1` only, and the requests to it. */
function served(past: Partial<PhonePast> = {}, answers = sharedAnswers()) {
  const asked: unknown[] = [];
  const answer = (udid: string, value: unknown, ...how: unknown[]) => {
    asked.push(how);
    return Promise.resolve(udid === 'P1' ? (value as never) : undefined);
  };
  const app = new App(silentLog);
  const notHere = () => Promise.reject(new Error('not in this test'));
  const whole: PhonePast = {
    uptime: (udid) => answer(udid, [day]),
    samples: (udid, days) => answer(udid, [{ at: 1 }], days),
    events: (udid, query) => answer(udid, { events: [] }, query),
    ...past,
  };
  app.add(pastRoutes(new SampleSource(host([phone()])), whole, { why: notHere, verdict: notHere }, answers));
  const listening = once(app.server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    app.server.close();
    app.server.closeAllConnections();
  });
  const get = async (path: string) => {
    await listening;
    const { port } = app.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { code: response.status, body: JSON.parse(await response.text()), headers: response.headers };
  };
  return { get, asked };
}

describe('the past of a phone', () => {
  it('is days, readings and events', async () => {
    const { get, asked } = served();
    expect((await get('/api/phones/P1/uptime')).body).toEqual([day]);
    expect((await get('/api/phones/P1/samples?days=90')).body).toEqual([{ at: 1 }]);
    expect((await get('/api/phones/P1/samples')).body).toEqual([{ at: 1 }]);
    expect((await get('/api/phones/P1/events?before=51&kinds=note,detached')).body).toEqual({ events: [] });
    expect(asked).toEqual([[], [90], [1], [{ before: 51, kinds: ['detached', 'note'] }]]);
  });

  it.each(['uptime', 'samples', 'events'])('is not found for a phone that is not there: %s', async (what) => {
    expect(await served().get(`/api/phones/P2/${what}`)).toMatchObject({
      code: 404,
      body: { error: 'no phone on this host has this udid' },
    });
  });

  it.each([
    ['samples?days=91', 'days must be a whole number from 1 to 90'],
    ['samples?days=0', 'days must be a whole number from 1 to 90'],
    ['samples?days=1&days=2', 'days must be a whole number from 1 to 90'],
    ['events?before=-1', 'before must be a whole number from 1 to '],
    ['events?before=9999999999999999', 'before must be a whole number from 1 to '],
    ['events?kinds=', 'kinds must be some of attached,detached,state,'],
    ['events?kinds=note,__proto__', 'kinds must be some of attached,detached,state,'],
    ['events?kinds=note&kinds=sim', 'kinds must be some of attached,detached,state,'],
  ])('rejects %s before it asks', async (what, error) => {
    const { get, asked } = served();
    const answer = await get(`/api/phones/P1/${what}`);
    expect(answer.code).toBe(400);
    expect(answer.body.error).toContain(error);
    expect(asked).toEqual([]);
  });

  it('is asked of the disk once by all who ask the same at once', async () => {
    const { get, asked } = served();
    await Promise.all([
      get('/api/phones/P1/events?kinds=note,sim'),
      get('/api/phones/P1/events?kinds=sim,note,sim'),
      get('/api/phones/P1/events?kinds=sim'),
    ]);
    expect(asked).toHaveLength(2);
  });

  it('says where the history does not answer', async () => {
    const { get } = served({
      uptime: () => Promise.reject(new HistoryUnavailableError('its thread has died')),
    });
    expect(await get('/api/phones/P1/uptime')).toMatchObject({
      code: 503,
      body: { error: 'the history does not answer: its thread has died' },
    });
  });

  it('is refused while too much is asked of the disk, and answered again after', async () => {
    const held = Promise.withResolvers<void>();
    const { get } = served(
      { samples: () => held.promise.then(() => []) },
      sharedAnswers({ freshMs: 0, most: 2, waiting: 10 }),
    );
    // one is worked on, ten wait
    const asked = Array.from({ length: 13 }, (_, day) => get(`/api/phones/P1/samples?days=${day + 1}`));
    const refused: unknown[] = [];
    for (const each of asked)
      void each.then(({ code, headers }) => code === 503 && refused.push(headers.get('retry-after')));
    await vi.waitFor(() => expect(refused).toEqual(['2', '2']));
    held.resolve();
    const codes = (await Promise.all(asked)).map(({ code }) => code);
    expect(codes.filter((code) => code === 200)).toHaveLength(11);
    expect((await get('/api/phones/P1/uptime')).code).toBe(200);
  });
});
