import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordingsOf } from '../../src/demo/scenes.ts';
import { stories } from '../../src/demo/stories.ts';
import { parseStory, phonesOf } from '../../src/demo/story.ts';

const story = (more: string) => `title: x
phones:
  - { serial: A, port: 1-4.1 }
  - { serial: B, port: 1-4.2 }
${more}`;
const past = (entry: string) => story(`past:\n  - ${entry}`);
const happening = (entry: string) => story(`happenings:\n  - ${entry}`);

describe('a story', () => {
  it.each(Object.keys(stories))('%s ships, and its phones can be played', (name) => {
    const parsed = parseStory(stories[name] ?? '', name);
    const recordings = recordingsOf(parsed);
    expect(recordings.map(({ devpath }) => devpath)).toEqual(parsed.phones.map(({ port }) => port));
    for (const { serial, answers } of recordings) expect(JSON.stringify(answers)).toContain(`[${serial}]`);
  });

  it('is read with times in ms; a hub has the phones behind it', () => {
    const { phones, happenings } = parseStory(happening('{ at: 2m, do: hub off, hub: 1-4 }'), 'x');
    expect(happenings).toEqual([{ at: 120_000, do: 'hub off', hub: '1-4' }]);
    expect(phonesOf(phones, { hub: '1-4' }).map(({ serial }) => serial)).toEqual(['A', 'B']);
    expect(phonesOf(phones, { phones: ['B'] }).map(({ serial }) => serial)).toEqual(['B']);
  });

  it.each([
    ['no YAML', 'title: [', /^day\.yaml:1: /],
    ['nothing', '', /^day\.yaml.*: the story: must be a mapping of keys and values$/],
    ['no phones', 'title: x\nphones: []', /^day\.yaml:2: phones: must have 1 to 100$/],
    ['an unknown key', story('hapenings: []'), /^day\.yaml:1: the story: must have no key hapenings$/],
    [
      'an unknown happening',
      happening('{ at: 5s, do: explode }'),
      /^day\.yaml:6: happenings\.1\.do: must be unplug, plug, /,
    ],
    [
      'a time without a unit',
      happening('{ at: 5, do: unplug }'),
      /^day\.yaml:6: happenings\.1\.at: must be a time such as 5s/,
    ],
    [
      'a time of another form',
      happening('{ at: soon, do: unplug }'),
      /^day\.yaml:6: .*must be a time such as 5s/,
    ],
    [
      'too long ago',
      past('{ ago: 90d, for: 1m, do: unplug }'),
      /^day\.yaml:6: past\.1\.ago: must be at most 89d$/,
    ],
    ['a phone it lacks', happening('{ at: 5s, do: unplug, phones: [C] }'), /:6: the story has no phone C$/],
    [
      'a hub it lacks',
      happening('{ at: 5s, do: hub off, hub: 1-9 }'),
      /:6: no phone of the story is behind hub 1-9$/,
    ],
    [
      'a serial twice',
      'title: x\nphones:\n  - { serial: A, port: 1-1 }\n  - { serial: A, port: 1-2 }',
      /:4: serial A is that of another phone too$/,
    ],
    [
      'a port twice',
      'title: x\nphones:\n  - { serial: A, port: 1-1 }\n  - { serial: B, port: 1-1 }',
      /:4: port 1-1 is that of/,
    ],
    ['hostile text', happening('{ at: "\\e[2J", do: unplug }'), /^[^\u001b]*$/],
    [
      'aliases',
      `title: &a x\nphones:\n  - { serial: A, port: 1-1, slot: *a }`,
      /^day\.yaml: must have no aliases$/,
    ],
    [
      'a slot of two lines',
      'title: x\nphones:\n  - { serial: A, port: 1-1, slot: "a\\nb" }',
      /:3: phones\.1\.slot: must be a line of at most 200 characters/,
    ],
    ['no end', 'x'.repeat(200_001), /^day\.yaml: must have at most 200000 characters$/],
  ])('with %s is refused: the error names the line and what is allowed', (_, text, problem) => {
    expect(() => parseStory(text, 'day.yaml')).toThrow(problem);
  });

  it('is written in docs/architecture.md', () => {
    const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
    const [, example = ''] = /```text\n(title: .*?)```/s.exec(page) ?? [];
    const { happenings, past } = parseStory(example, 'docs/architecture.md');
    expect([happenings.length, past.length]).toEqual([5, 2]);
  });

  it('has phones like those of the demo only', () => {
    const parsed = parseStory('title: x\nphones:\n  - { serial: A, port: 1-1, like: iPhone }', 'x');
    expect(() => recordingsOf(parsed)).toThrow(
      /^phones\.0\.like: the demo has no phone like iPhone; it has /,
    );
  });
});
