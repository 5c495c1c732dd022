/** The story of `hostnode demo --story`: one that ships, or a file. */
import { readFile, stat } from 'node:fs/promises';
import { stories } from '../demo/stories.ts';
import { parseStory, type Story, StoryError } from '../demo/story.ts';
import { systemReason } from '../host/state-errors.ts';

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
