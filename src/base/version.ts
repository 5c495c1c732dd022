/** What was built, written into the bundle by packaging/bundle.ts; run from the sources it says so. */
declare const HOSTNODE_VERSION: string | undefined;
declare const HOSTNODE_BUILD_NUMBER: string | undefined;

/** This is the program that packaging/bundle.ts has bundled. */
export const isBuilt: boolean = typeof HOSTNODE_VERSION === 'string';

export const version: string = typeof HOSTNODE_VERSION === 'string' ? HOSTNODE_VERSION : '0.0.0-source';

/** The agent's own build, `YYMM.DD`. */
export const buildNumber: string =
  typeof HOSTNODE_BUILD_NUMBER === 'string' ? HOSTNODE_BUILD_NUMBER : '0000.00';
