/** Posts messages to one address of `notify`. */
import type { Environment } from '../../base/environment.ts';
import { Endpoint } from '../../cloud/endpoint.ts';
import type { HttpResponse } from '../../cloud/http.ts';
import type { NotifyTarget } from '../../config/notify.ts';
import { bodyOf, type Message } from './message.ts';

/** For a whole message and its answer; as long for a proxy's tunnel before it. */
const TIMEOUT_MS = 10_000;
/** Shorter parts of an address are words. */
const SHORTEST_SECRET = 8;

/**
 * @param env names the proxy
 * @returns posts a message, once, and resolves to the status of the answer; rejects with an `EndpointError` where it was not
 *   taken, or with the signal's reason
 * @throws {ConfigError} the proxy's address is invalid
 */
export function postTo({ key, url: address, format, shown, headers, ca }: NotifyTarget, env: Environment) {
  const url = new URL(address.reveal());
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()];
  const endpoint = new Endpoint(
    {
      url,
      request: `POST ${shown}`,
      words: {
        code: 'NOT_NOTIFIED',
        key,
        address: `${key}.url`,
        what: 'messages',
        stranger: 'the answer is not one of a webhook',
        check: `check the address (${key}.url or urlFile) and its format`,
      },
      headers,
      contentType: 'application/json',
      secrets: parts.filter((part) => part.length >= SHORTEST_SECRET),
      ca,
      timeoutMs: TIMEOUT_MS,
    },
    env,
  );
  return async (message: Message, signal: AbortSignal): Promise<number> => {
    const answer = await endpoint.post(bodyOf(message, format), signal);
    if (!isTaken(answer)) throw endpoint.failure(answer);
    return answer.status;
  };
}

/** Chats answer with few words. A page, or much, is from another service, such as a login in between. */
const isTaken = ({ status, text, isWhole }: HttpResponse): boolean =>
  status >= 200 && status < 300 && isWhole && !text.trimStart().startsWith('<');
