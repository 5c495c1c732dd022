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

export class NotifyClient {
  readonly #endpoint: Endpoint;
  readonly #target: NotifyTarget;

  /**
   * @param env names the proxy
   * @throws {ConfigError} the proxy's address is invalid
   */
  constructor(target: NotifyTarget, env: Environment) {
    const { key, shown, headers, ca } = target;
    const url = new URL(target.url.reveal());
    this.#target = target;
    this.#endpoint = new Endpoint(
      {
        url,
        request: `POST ${shown}`,
        words: {
          code: 'NOT_NOTIFIED',
          address: `${key}.url`,
          headersFile: `${key}.headersFile`,
          caFile: `${key}.caFile`,
          what: 'messages',
          stranger: 'the answer is not one of a webhook',
          check: `check the address (${key}.url or urlFile) and its format`,
        },
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const),
        ),
        contentType: 'application/json',
        secrets: [...url.pathname.split('/'), ...url.searchParams.values()].filter(
          (part) => part.length >= SHORTEST_SECRET,
        ),
        ca,
        timeoutMs: TIMEOUT_MS,
      },
      env,
    );
  }

  /**
   * Posts a message, once.
   *
   * @returns the status of the answer
   * @throws {EndpointError} it was not taken; or the signal's reason
   */
  async send(message: Message, signal: AbortSignal): Promise<number> {
    const answer = await this.#endpoint.post(bodyOf(message, this.#target.format), signal);
    if (!isTaken(answer)) throw this.#endpoint.failure(answer);
    return answer.status;
  }
}

/** Chats answer with few words. A page, or much, is from another service, such as a login in between. */
const isTaken = ({ status, text, isWhole }: HttpResponse): boolean =>
  status >= 200 && status < 300 && isWhole && !text.trimStart().startsWith('<');
