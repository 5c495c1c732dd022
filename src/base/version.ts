/** The version, which packaging/bundle.ts writes into the bundle; from the sources it is `0.0.0-source`. */
declare const HOSTNODE_VERSION: string | undefined;
declare const HOSTNODE_BUILD_NUMBER: string | undefined;

/** True in the bundled program. */
export const isBuilt: boolean = typeof HOSTNODE_VERSION === 'string';

export const version: string = typeof HOSTNODE_VERSION === 'string' ? HOSTNODE_VERSION : '0.0.0-source';

/** The agent's own build, `YYMM.DD`. */
export const buildNumber: string =
  typeof HOSTNODE_BUILD_NUMBER === 'string' ? HOSTNODE_BUILD_NUMBER : '0000.00';
