/** Clouds for the command line, by name: those of the configuration, and those of the user's own file. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { type CloudConfig, type ProfileSettings, resolveCloud } from './cloud.ts';
import { parseFile } from './file.ts';
import { entriesIn, type Layer, problemsIn } from './layer.ts';
import { settings } from './schema.ts';
import { readPrivateFile, Secret } from './secrets.ts';

/** A cloud of `clouds`: valid key by key. `resolveProfile` says whether it is complete. */
export interface CloudProfile extends Omit<ProfileSettings, 'apiKey'> {
  readonly apiKey?: Secret;
  /** Where it is written: `clouds.yaml:3`. */
  readonly from: string;
}

export const profilesOf = (
  clouds: Readonly<Record<string, ProfileSettings>>,
  where: Layer['where'] = () => 'default',
): Record<string, CloudProfile> =>
  Object.fromEntries(
    Object.entries(clouds).map(([name, { apiKey, ...rest }]) => {
      const from = where(['clouds', name]);
      return [name, { ...rest, ...(apiKey !== undefined && { apiKey: new Secret(apiKey) }), from }];
    }),
  );

/** The user's own file of clouds (XDG base directories). */
export const userCloudsFile = (env: Environment): string => userFile(env, 'clouds.yaml');

export const userFile = (env: Environment, name: string): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'hostnode', name);

/**
 * Reads the user's own file: a configuration with nothing but `clouds`. No file is no cloud.
 *
 * @throws {ConfigError} also if others can read it
 */
export async function readUserProfiles(file: string): Promise<Record<string, CloudProfile>> {
  const { text, problem } = readPrivateFile(file);
  if (problem !== undefined) throw new ConfigError([problem]);
  if (text === undefined) return {};
  const layer = await parseFile(file, text);
  const others = Object.keys(layer.values).filter((key) => key !== 'clouds');
  const strange = others.map((key) => `${key} (${layer.where([key])}): only "clouds:" may be in this file`);
  const wrong = others.length > 0 ? [] : entriesIn(layer).flatMap(problemsIn);
  const found = [...layer.problems, ...strange, ...wrong.map(({ line }) => line)];
  if (found.length > 0) throw new ConfigError(found);
  return profilesOf(settings.parse(layer.values).clouds, layer.where);
}

/**
 * The profile with this name, ready for use.
 *
 * @throws {ConfigError} there is none, or it is not complete
 */
export function resolveProfile(
  name: string,
  profiles: Readonly<Record<string, CloudProfile>>,
  env: Environment,
): CloudConfig {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) throw new ConfigError([`--profile ${unknownName(name, Object.keys(profiles))}`]);
  const { apiKey, from, ...rest } = profile;
  const given = apiKey && { apiKey: String(apiKey) }; // masked: only that there is one counts
  const problems: string[] = [];
  const source = { name: `clouds.${name}`, env, problems, refused: () => false, where: () => from };
  const { cloud } = resolveCloud({ ...rest, ...given }, source);
  if (cloud === undefined) throw new ConfigError(problems);
  return { ...cloud, ...(apiKey && { apiKey }) };
}

/** What keeps these clouds from use: the agent, which uses none of them, does not stop for it. */
export const problemsOfProfiles = (
  profiles: Readonly<Record<string, CloudProfile>>,
  env: Environment,
): string[] =>
  Object.keys(profiles).flatMap((name) => {
    try {
      resolveProfile(name, profiles, env);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  });

function unknownName(name: string, known: readonly string[]): string {
  const shown = JSON.stringify(name.slice(0, 80));
  if (known.length === 0)
    return `${shown}: no cloud has a name yet; "hostnode cloud login --profile NAME" makes one`;
  const meant = nearest(name, known);
  return `${shown}: no such cloud; ${meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`}`;
}

/** What `hostnode cloud login` writes. */
export interface NewProfile extends Pick<ProfileSettings, 'caFile' | 'organizationId'> {
  readonly baseUrl: string;
  readonly username: string;
  readonly apiKey: string;
  readonly allowInsecure?: boolean;
}

/**
 * The text of the user's own file with this profile in it, in place of one with its name; all else stays as it is.
 *
 * @param text of the file, which is valid; '' for a new one
 */
export async function withProfile(text: string, name: string, profile: NewProfile): Promise<string> {
  const { Document, isMap, parseDocument } = await import('yaml');
  const document = text.trim() === '' ? new Document({}) : parseDocument(text);
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (!isMap(document.get('clouds'))) document.set('clouds', document.createNode({}));
  document.setIn(['clouds', name], document.createNode(profile));
  return document.toString({ lineWidth: 0 });
}

/** The text of the user's own file without this profile. */
export async function withoutProfile(text: string, name: string): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  document.deleteIn(['clouds', name]);
  return document.toString({ lineWidth: 0 });
}
