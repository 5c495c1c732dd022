/** What packaging/bundle.ts makes of the program: its version, which is `0.0.0-source` from the sources, and its bundles. */
declare const HOSTNODE_VERSION: string | undefined;
declare const HOSTNODE_BUILD_NUMBER: string | undefined;

/** True in the bundled program. */
export const isBuilt: boolean = typeof HOSTNODE_VERSION === 'string';

export const version: string = typeof HOSTNODE_VERSION === 'string' ? HOSTNODE_VERSION : '0.0.0-source';

/** The agent's own build, `YYMM.DD`. */
export const buildNumber: string =
  typeof HOSTNODE_BUILD_NUMBER === 'string' ? HOSTNODE_BUILD_NUMBER : '0000.00';

/** The commands that have bundles of their own, `dist/<command>.cjs`: none parses what another one needs. */
export const ownBundles: readonly string[] = ['cloud', 'demo', 'inventory', 'run', 'sandbox'];
