/**
 * What a world needs beyond the usual one so that some fault can happen in it. None of these does any harm by itself,
 * so a world may have several.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OtlpEndpoint } from '../support/otlp-endpoint.ts';
import { makeCertificates } from './certificates.ts';
import { makeStateDir, onOwnDisk, setClock, withOwnNames, withSetClock } from './surroundings.ts';
import type { Environment, Given, World } from './world.ts';

/** A name for the cloud, TLS before it, a small disk for the state, a clock that can be set, metrics that are pushed, messages. */
export type Place = 'named' | 'tls' | 'disk' | 'clock' | 'pushing' | 'telling';

let made: ReturnType<typeof makeCertificates> | undefined;
export const certificates = () => {
  made ??= makeCertificates();
  return made;
};

const endpoints = new WeakMap<World, OtlpEndpoint>();

/** Where the agent of this world pushes its metrics, or sends its messages. */
export function endpointOf(world: World): OtlpEndpoint {
  const endpoint = endpoints.get(world);
  if (endpoint === undefined) throw new Error('this world has no endpoint');
  return endpoint;
}

async function openEndpoint(world: World): Promise<void> {
  const endpoint = await OtlpEndpoint.start();
  endpoints.set(world, endpoint);
  world.onClose(() => endpoint.shut());
}

const cloudName = 'cloud.test';

/** Where the cloud's name leads; nowhere without an address. */
export const nameCloud = (world: World, address?: string): Promise<void> =>
  writeFile(
    join(world.folder, 'hosts'),
    `127.0.0.1 localhost\n${address === undefined ? '' : `${address} ${cloudName}\n`}`,
  );

const places: Record<Place, Given> = {
  named: {
    cloudHost: cloudName,
    shells: [withOwnNames],
    async before(world) {
      await nameCloud(world, '127.0.0.1');
      await writeFile(
        join(world.folder, 'resolv.conf'),
        'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n',
      );
    },
    env: (world) => ({
      HOSTNODE_CLOUD_ALLOW_INSECURE: 'true',
      HOSTS: join(world.folder, 'hosts'),
      RESOLV: join(world.folder, 'resolv.conf'),
    }),
  },
  tls: {
    certificate: () => certificates().good,
    before: (world) => writeFile(join(world.folder, 'ca.pem'), certificates().trusted),
    env: (world) => ({ HOSTNODE_CLOUD_CA_FILE: join(world.folder, 'ca.pem') }),
  },
  disk: { shells: [onOwnDisk('size=2m,nr_inodes=60')], before: makeStateDir },
  clock: { before: (world) => setClock(world, '+0'), env: withSetClock },
  pushing: {
    async before(world) {
      await openEndpoint(world);
      await writeFile(join(world.folder, 'headers'), `X-Key: ${world.apiKeys[0]}\n`, { mode: 0o600 });
    },
    env: (world) => ({
      HOSTNODE_METRICS_OTLP_ENDPOINT: endpointOf(world).url,
      HOSTNODE_METRICS_OTLP_HEADERS_FILE: join(world.folder, 'headers'),
      HOSTNODE_METRICS_OTLP_EVERY_SECONDS: '1',
      HOSTNODE_METRICS_OTLP_TIMEOUT_SECONDS: '1',
    }),
  },
  telling: {
    before: openEndpoint,
    env: (world) => ({
      HOSTNODE_NOTIFY: JSON.stringify([{ url: `${endpointOf(world).url}?key=${world.apiKeys[0]}` }]),
    }),
  },
};

/** A world with all of these; where two say something else, the later one counts. */
export function combine(parts: readonly Given[]): Given {
  const { env, before, shells, ...rest } = Object.assign({}, ...parts) as Given;
  return {
    ...rest,
    ...(shells && { shells: parts.flatMap((part) => part.shells ?? []) }),
    ...(env && {
      env: (world) =>
        Object.assign({}, ...parts.map((part) => environmentOf(part, world))) satisfies Environment,
    }),
    ...(before && {
      async before(world) {
        for (const part of parts) await part.before?.(world);
      },
    }),
  };
}

const environmentOf = ({ env = {} }: Given, world: World): Environment =>
  typeof env === 'function' ? env(world) : env;

/** The world in which a fault happens. */
export const worldOf = ({ in: wanted = [], given = {} }: { in?: readonly Place[]; given?: Given }): Given =>
  combine([...wanted.map((place) => places[place]), given]);
