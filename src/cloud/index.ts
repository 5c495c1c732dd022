/** What `hostnode/cloud` exports. */
import '../base/needs-node.ts';
import { CloudClient as Client, type CloudClientOptions } from './client.ts';
import { nodeEngine } from './node-engine.ts';

/**
 * Each operation is a method, made from the contract: `client.apps.list()`. All reject with a `CloudError`: its class
 * says what helps, and `operation`, `status`, `excerpt` and `retryAfterMs` what happened.
 */
export class CloudClient extends Client {
  /** @throws {ConfigError} an option is wrong */
  constructor(options: CloudClientOptions) {
    super(options, nodeEngine);
  }
}

export type { CloudClientOptions, Preview, VersionWait, VersionWaiting } from './client.ts';
export type { ReceivedAnswer, SentRequest } from './connection.ts';
export { contract, type OperationId, type Operations, operationOf, operations } from './contract/index.ts';
export { flagOf, type Input, inputsOf, type Kind, valueOfText } from './contract/inputs.ts';
export type { AnswerOf, InputOf, Operation } from './contract/operation.ts';
export * from './errors.ts';
export type { CallOptions } from './request.ts';
export type * from './resources.ts';
export type { AppFile, UploadOptions, UploadProgress } from './upload.ts';
