/** Limits the followers. If full, one that does not read, or one of a client with more followers, has to leave. */
import type { ServerResponse } from 'node:http';

export interface FollowerLimits {
  /** For all clients together. */
  most: number;
  mostPerClient: number;
}

export class FollowerRoom {
  readonly #limits: FollowerLimits;
  /** Each with its client, in order of arrival. */
  readonly #inside = new Map<ServerResponse, string>();

  constructor(limits: FollowerLimits) {
    this.#limits = limits;
  }

  /** False if there is no place; else this response has one until it closes. */
  admit(response: ServerResponse, client: string): boolean {
    if (!this.#makeRoom(client)) return false;
    this.#inside.set(response, client);
    response.once('close', () => this.#inside.delete(response));
    return true;
  }

  #makeRoom(client: string): boolean {
    const { most, mostPerClient } = this.#limits;
    const all = [...this.#inside.keys()];
    const own = this.#of(client);
    if (own.length >= mostPerClient) return this.#end(own.find(isBlocked));
    if (all.length < most) return true;
    const greediest = [...new Set(this.#inside.values())]
      .map((each) => this.#of(each))
      .reduce((one, other) => (other.length > one.length ? other : one));
    return this.#end(all.find(isBlocked) ?? (greediest.length > own.length ? greediest[0] : undefined));
  }

  #of(client: string): ServerResponse[] {
    return [...this.#inside].filter(([, each]) => each === client).map(([response]) => response);
  }

  #end(response: ServerResponse | undefined): boolean {
    if (response === undefined) return false;
    this.#inside.delete(response); // 'close' comes later; free the place now
    response.destroy();
    return true;
  }
}

/** Has it not read what we sent? */
const isBlocked = ({ writableNeedDrain }: ServerResponse): boolean => writableNeedDrain;
