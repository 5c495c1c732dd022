/** `hostnode cloud api METHOD PATH`: a request that the contract does not have, with the account of the cloud. */
import { parseJson } from '../../base/errors.ts';
import { say } from '../terminal.ts';
import type { CallOptions } from './call.ts';
import { chosenCloud, withClient } from './chosen-cloud.ts';
import { objectOfFile } from './input-files.ts';
import { explained, UsageError } from './refusals.ts';

/** @param path below the root of the API: `/devices`, or with a version of its own, `/v2/apps/12` */
export const callApi = (method: string, path: string, options: CallOptions): Promise<void> =>
  explained(async () => {
    if (!/^[A-Z]{1,20}$/.test(method)) throw new UsageError('<method>: must be a method such as GET');
    if (!/^\/(?!\/)[!-~]*$/.test(path)) throw new UsageError('<path>: must be a path such as /v1/devices');
    const body = options.body === undefined ? undefined : await objectOfFile(options.body);
    const { cloud } = await chosenCloud(options);
    await withClient(cloud, async (client) => {
      const text = await client.raw(method, path, { body });
      const value = parseJson(text);
      if (text !== '') say(value === undefined ? text : JSON.stringify(value, null, 2));
    });
  });
