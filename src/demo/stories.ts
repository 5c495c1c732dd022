/** The stories that ship, and how one is read. They are text, so that the one file of the program has them. */
import { readFile, stat } from 'node:fs/promises';
import { systemReason } from '../host/state-errors.ts';
import { parseStory, type Story, StoryError } from './story.ts';

const bays = (hub: string, shelf: string, prefix: string, count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `  - { serial: ${prefix}${index + 1}, port: ${hub}.${index + 1}, slot: "${shelf}, bay ${index + 1}" }`,
  ).join('\n');

const dyingHub = `# A hub whose power supply fails: three times last week for a minute, and now it stays off.
title: A dying hub
phones:
${bays('1-4', 'rack 1, shelf 2', 'HUB-', 4)}
${bays('1-3', 'rack 1, shelf 1', 'OTHER-', 3)}
past:
  # whenever it is played, one of the four is at a time at which nobody is there: else people may have done it
  - { ago: 155h, do: unplug, hub: 1-4, for: 60s }
  - { ago: 100h, do: unplug, hub: 1-4, for: 90s }
  - { ago: 57h, do: unplug, hub: 1-4, for: 60s }
happenings:
  - { at: 5s, do: hub off, hub: 1-4 }
  - { at: 50s, do: note, on: OTHER-1, text: "shelf 1 is fine: its hub has another power supply" }
`;

const badCable = `# The cable of one bay has a loose contact: its phone is gone for some seconds, again and again.
title: A bad cable
phones:
${bays('1-4', 'rack 1, shelf 2', 'BAY-', 5)}
past:
  - { ago: 148h, do: unplug, phones: [BAY-4], for: 20s }
  - { ago: 75h, do: unplug, phones: [BAY-4], for: 45s }
happenings:
  - { at: 5s, do: unplug, phones: [BAY-4] }
  - { at: 12s, do: plug, phones: [BAY-4] }
  - { at: 30s, do: unplug, phones: [BAY-4] }
  - { at: 36s, do: plug, phones: [BAY-4] }
`;

const hotShelf = `# The fan of a shelf has stopped: its phones are warmer than all week, two of them are always full, one gets hot.
title: A hot shelf
phones:
  - { serial: HOT-1, port: 1-4.1, slot: "rack 1, shelf 3, bay 1", celsius: 41, percent: 100 }
  - { serial: HOT-2, port: 1-4.2, slot: "rack 1, shelf 3, bay 2", celsius: 40, percent: 100 }
  - { serial: HOT-3, port: 1-4.3, slot: "rack 1, shelf 3, bay 3", celsius: 39, percent: 60 }
  - { serial: HOT-4, port: 1-4.4, slot: "rack 1, shelf 3, bay 4", celsius: 39, percent: 60 }
  - { serial: HOT-5, port: 1-4.5, slot: "rack 1, shelf 3, bay 5", celsius: 39, percent: 60 }
  - { serial: HOT-6, port: 1-4.6, slot: "rack 1, shelf 3, bay 6", celsius: 39, percent: 60 }
past:
  - { ago: 8d, do: readings, for: 191h, phones: [HOT-3, HOT-4, HOT-5, HOT-6], celsius: 29, percent: 60 }
  - { ago: 8d, do: readings, for: 112h, phones: [HOT-1], celsius: 31, percent: 100 }
  - { ago: 80h, do: readings, for: 80h, phones: [HOT-1], celsius: 41, percent: 100 }
  - { ago: 8d, do: readings, for: 156h, phones: [HOT-2], celsius: 31, percent: 100 }
  - { ago: 36h, do: readings, for: 35h, phones: [HOT-2], celsius: 33, percent: 100 }
  - { ago: 1h, do: readings, for: 1h, phones: [HOT-2], celsius: 40, percent: 100 }
  - { ago: 1h, do: readings, for: 1h, phones: [HOT-3, HOT-4, HOT-5, HOT-6], celsius: 39, percent: 60 }
happenings:
  - { at: 5s, do: heat, phones: [HOT-1], celsius: 61 }
`;

export const stories: Readonly<Record<string, string>> = {
  'dying-hub': dyingHub,
  'bad-cable': badCable,
  'hot-shelf': hotShelf,
};

const MOST_BYTES = 1024 * 1024;

/**
 * @param named the name of a story that ships, or a path
 * @throws {StoryError} the first problem, with its line
 */
export async function readStory(named: string): Promise<Story> {
  const shipped = Object.hasOwn(stories, named) ? stories[named] : undefined;
  return parseStory(shipped ?? (await textOf(named)), named);
}

async function textOf(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MOST_BYTES)
      throw new StoryError(`${path}: must be a file of at most ${MOST_BYTES / 1024 / 1024} MB`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof StoryError) throw error;
    const known = Object.keys(stories).join(', ');
    throw new StoryError(`${path}: cannot be read (${systemReason(error)}); these stories ship: ${known}`);
  }
}
