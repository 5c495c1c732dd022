/** Which cloud a command is for, and the client for it. */
import { ConfigError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { CloudClient } from '../../cloud/client.ts';
import { gotEngine } from '../../cloud/got-engine.ts';
import type { Retry } from '../../cloud/retry.ts';
import type { CloudConfig, Config } from '../../config/load.ts';
import {
  type CloudProfile,
  readUserProfiles,
  resolveProfile,
  userCloudsFile,
} from '../../config/profiles.ts';
import { type ConfigOptions, loadFor } from '../configuration.ts';
import { sayError } from '../terminal.ts';

export type CloudOptions<Flags extends string = never, Texts extends string = never> = ConfigOptions<
  Flags,
  Texts | 'profile'
>;

/** The profile that `hostnode cloud login` writes, and that counts where no agent's cloud is configured. */
export const DEFAULT_PROFILE = 'default';

/** The configuration of this host, and the cloud of `--profile`, else the agent's own, else the profile `default`. */
export async function chosenCloud({
  profile,
  ...option
}: CloudOptions): Promise<{ cloud: CloudConfig; config: Config; name?: string }> {
  const { config, warnings } = await loadFor(option, { phonesOnly: true });
  for (const warning of warnings) sayError(warning);
  if (profile === undefined && config.cloud !== undefined) return { cloud: config.cloud, config };
  if (profile === undefined) await loadFor(option); // says what is wrong with the agent's own
  const profiles = await profilesOf(config);
  if (profile === undefined && !Object.hasOwn(profiles, DEFAULT_PROFILE)) {
    const others = Object.keys(profiles).join(', ');
    const choice = others === '' ? '' : `, or choose one with --profile: ${others}`;
    throw new ConfigError([
      `no cloud is configured: run "hostnode cloud login", or set "cloud:" in the configuration${choice}`,
    ]);
  }
  const name = profile ?? DEFAULT_PROFILE;
  return { cloud: resolveProfile(name, profiles, process.env), config, name };
}

export const allProfiles = async (option: CloudOptions): Promise<Record<string, CloudProfile>> =>
  await profilesOf((await loadFor(option, { phonesOnly: true })).config);

const profilesOf = async ({ clouds }: Pick<Config, 'clouds'>): Promise<Record<string, CloudProfile>> => ({
  ...clouds,
  ...(await readUserProfiles(userCloudsFile(process.env))),
});

export async function withClient<T>(
  cloud: CloudConfig,
  work: (client: CloudClient) => Promise<T>,
): Promise<T> {
  const { baseUrl, v2BaseUrl, username, apiKey, allowInsecure, ca, storageVendor, untagMethod } = cloud;
  const options = {
    baseUrl,
    username,
    allowInsecure,
    ...omitUndefined({ v2BaseUrl, ca, storageVendor, untagMethod }),
    apiKey: apiKey.reveal(),
    proxyEnv: process.env,
    connectTimeoutMs: cloud.connectTimeoutSeconds * 1000,
    requestTimeoutMs: cloud.requestTimeoutSeconds * 1000,
    onRetry: ({ error, delayMs }: Retry) =>
      sayError(`${error.message}; trying again in ${Math.max(1, Math.round(delayMs / 1000))} s`),
  };
  const client = new CloudClient(options, gotEngine);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
