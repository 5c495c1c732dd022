import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe } from 'vitest';
import { AgentClient } from '../../src/cloud/agent-client.ts';
import { CloudClient, type CloudClientOptions } from '../../src/cloud/client.ts';
import type { ConnectionOptions } from '../../src/cloud/connection.ts';
import type { DevicesBody } from '../../src/cloud/contract/report.ts';
import { CloudError } from '../../src/cloud/errors.ts';
import { gotEngine } from '../../src/cloud/got-engine.ts';
import type { Engine } from '../../src/cloud/http.ts';
import { nodeEngine } from '../../src/cloud/node-engine.ts';
import { body, TestServer } from '../support/cloud-server.ts';

export const apiKey = 'Zx9"very/secret';
export const username = 'lab@example.com';
export const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');

let engine: Engine = gotEngine;

/** Runs the tests with each way to do HTTP. */
export const overEach = (tests: () => void): void =>
  describe.each([
    ['got', gotEngine],
    ['Node alone', nodeEngine],
  ])('over %s:', (_, each) => {
    beforeAll(() => {
      engine = each;
    });
    afterAll(() => {
      engine = gotEngine;
    });
    tests();
  });

/** A client for scripts, over the engine of the test. */
export class TestedClient extends CloudClient {
  constructor(options: CloudClientOptions) {
    super(options, engine);
  }
}

export const clientOf = (server: { port: number }, options: Partial<ConnectionOptions> = {}) =>
  new AgentClient({
    engine,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    username,
    apiKey,
    userAgent: 'hostnode/1.2.3',
    proxyEnv: {},
    ...options,
  });

/** Puts a report once to a server that answers so; returns the answer or the error, and the requests. */
export async function put(
  answer: RequestListener,
  options: Partial<ConnectionOptions> = {},
  report: DevicesBody = body,
) {
  await using server = await TestServer.listen(answer);
  const client = clientOf(server, options);
  const outcome: unknown = await client.putDevices(report).catch((error: unknown) => error);
  client.close();
  return { outcome, received: server.received, address: `PUT http://127.0.0.1:${server.port}/v1/devices` };
}

/** The error of a request that must fail. */
export async function failure(answer: RequestListener, options: Partial<ConnectionOptions> = {}) {
  const { outcome, received, address } = await put(answer, options);
  if (!(outcome instanceof CloudError)) throw new Error(`not a cloud error: ${inspect(outcome)}`);
  return { error: outcome, received, address };
}

export const answering =
  (status: number, text = '', headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(text);
