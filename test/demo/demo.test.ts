import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runDemo } from '../../src/cli/demo.ts';
import { recordingsOf } from '../../src/demo/scenes.ts';
import { openStage, type Stage } from '../../src/demo/stage.ts';
import { readStory } from '../../src/demo/stories.ts';
import type { Story } from '../../src/demo/story.ts';
import { freePort } from '../support/raw-server.ts';

/** Plays the demo once. */
async function once(change: (stage: Stage) => void = () => {}, story?: Story) {
  const stage = await openStage('0 0 1 1 *', story && recordingsOf(story), story);
  onTestFinished(() => stage.close());
  change(stage);
  const out = new PassThrough().setEncoding('utf8') as unknown as NodeJS.WriteStream;
  const isStored = await runDemo(stage, true, { out });
  return { isStored, text: String(out.read()) };
}

it('the demo with --once goes round the proxy of its environment', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9');
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
  expect((await once()).isStored).toBe(true);
});

it('the demo with --once says what it shows live: its own happenings, or those of the story', async () => {
  expect((await once()).text).toContain('without --once: the same live, phones plugged in and unplugged');
  const { text } = await once(() => {}, await readStory('bad-cable'));
  expect(text).toContain('without --once: the same live, and what the story tells');
});

it('the demo with --once ends also when its report fails, and says why', async () => {
  const port = await freePort();
  const { isStored, text } = await once(({ env }) => {
    env.HOSTNODE_CLOUD_BASE_URL = `http://127.0.0.1:${port}/v1`;
  });
  expect(isStored).toBe(false);
  expect(text).toContain('nothing listens there');
});

it('the demo shows the phones as the cloud knows them, and says which phone the cloud rejects', async () => {
  const stage = await openStage('* * * * * *');
  onTestFinished(() => stage.close());
  const out = Object.assign(new PassThrough(), { isTTY: true, columns: 120, rows: 50 });
  let text = '';
  out.on('data', (data) => {
    text += data;
  });
  const screen = () => (text.split('\x1b[H').at(-1) ?? '').replaceAll(/\x1b\[\d*[JKm]/g, '');
  const playing = runDemo(stage, false, { out: out as unknown as NodeJS.WriteStream });
  onTestFinished(async () => {
    process.emit('SIGHUP');
    expect(await playing).toBe(true);
  });
  await vi.waitFor(() => expect(screen()).toMatch(/^ f12a8ec9 /m), { timeout: 50_000 });
  stage.cloud.refuse('f12a8ec9', 'no licence');
  const told = /cloud: PUT .*, rejected f12a8ec9: no licence/;
  await vi.waitFor(() => expect(screen().replace(/\n */g, ' ')).toMatch(told), { timeout: 50_000 });
});
