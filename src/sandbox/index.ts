/** What `hostnode/sandbox` exports. */
import '../base/needs-node.ts';

export type { CloudFault, CloudFaults } from './fault.ts';
export type { SandboxRequest } from './log.ts';
export { DataFileError, Sandbox, type SandboxInfo, type SandboxOptions } from './sandbox.ts';
export { type Seed, seedOfOneUser, standardSeed } from './seed.ts';
