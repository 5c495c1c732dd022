/** What `hostnode/cloud` exports. */
import '../base/needs-node.ts';

export { CloudClient, type CloudClientOptions, type Preview } from './client.ts';
export type { ReceivedAnswer, SentRequest } from './connection.ts';
export { contract, type OperationId, type Operations, operationOf, operations } from './contract/index.ts';
export { flagOf, type Input, inputsOf, type Kind, valueOfText } from './contract/inputs.ts';
export type { AnswerOf, InputOf, Operation } from './contract/operation.ts';
export * from './errors.ts';
export type { CallOptions } from './request.ts';
export type * from './resources.ts';
export type { AppFile, UploadOptions, UploadProgress } from './upload.ts';
export type { VersionWait, VersionWaiting } from './version-wait.ts';
