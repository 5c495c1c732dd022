/** Does the cloud accept the account? And is its API at this address, or beside it? */
import { omitUndefined } from '../base/omit-undefined.ts';
import { CloudError, type CloudRequest, CloudUnavailableError } from './errors.ts';

/** A udid that no phone has: the answer stays short for an account with many phones. */
const NOBODY = { udid: 'hostnode-nobody' };

/**
 * @param list asks the API at this root for the devices with the udid
 * @throws {CloudError} not accepted; its remedy names the v1 root beside this one, if the API answers there
 */
export async function checkAccount(
  baseUrl: string,
  list: (baseUrl: string, query: { udid: string }) => Promise<unknown>,
): Promise<void> {
  try {
    await list(baseUrl, NOBODY);
  } catch (error) {
    const beside = rootBeside(baseUrl);
    if (!(error instanceof CloudError) || isOfApi(error) || error instanceof CloudUnavailableError)
      throw error;
    const isThere = beside !== baseUrl && (await list(beside, NOBODY).then(() => true, isOfApi));
    throw isThere ? withRemedy(error, `did you mean ${beside}?`) : error;
  }
}

/** The API is there, and does not know the account. */
const isOfApi = (error: unknown): boolean =>
  error instanceof CloudError && ['CLOUD_UNAUTHORIZED', 'CLOUD_FORBIDDEN'].includes(error.code);

/** `https://cloud.example/v1` of `https://cloud.example`, `…/v2` and `…/v1/devices`. */
const rootBeside = (baseUrl: string): string => {
  const [root = ''] = baseUrl.split(/\/v\d+(?:\/|$)/, 1);
  return `${root.replace(/\/$/, '')}/v1`;
};

function withRemedy(error: CloudError, remedy: string): CloudError {
  const { request, operation, status, excerpt: said, trouble } = error;
  const Same = error.constructor as new (seen: string, about: CloudRequest) => CloudError;
  const seen = trouble.failure.slice(`${request}: `.length);
  return new Same(seen, omitUndefined({ request, operation, status, said, remedy }));
}
