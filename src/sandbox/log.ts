/** The requests that the sandbox received, without credentials, passwords and pre-signed URLs. */

export interface SandboxRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The body, if it was JSON; passwords in it are hidden. */
  body?: unknown;
  status?: number;
  /** The answer, unless a fault produced it, or it is a secret. */
  answer?: unknown;
}

const REMEMBERED = 1000;
/** Of bodies and answers, as JSON. In memory they take several times as much. */
const REMEMBERED_BYTES = 16 * 1024 * 1024;

/** The secret inputs of the API, and names that a body of a caller's own may have for them. */
const SECRET_NAME = /passw|pwd|secret|api_?key/i;
/** A body as it may be shown. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const shown = (name: string, each: unknown) => (SECRET_NAME.test(name) ? '***' : withoutSecrets(each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(name, each)]));
}

export class RequestLog {
  /** The last requests, oldest first. */
  readonly requests: SandboxRequest[] = [];
  /** Bytes of body and answer. */
  readonly #sizes = new WeakMap<SandboxRequest, number>();

  note(method: string, path: string): SandboxRequest {
    const noted: SandboxRequest = { method, path };
    if (this.requests.push(noted) > REMEMBERED) this.requests.shift();
    return noted;
  }

  /** Notes how large a part of a request is, and forgets the oldest ones that no longer fit: of the last, its values. */
  grown(noted: SandboxRequest, bytes: number): void {
    const sizeOf = (each: SandboxRequest) => this.#sizes.get(each) ?? 0;
    this.#sizes.set(noted, sizeOf(noted) + bytes);
    let all = this.requests.reduce((sum, each) => sum + sizeOf(each), 0);
    while (all > REMEMBERED_BYTES && this.requests.length > 1) all -= sizeOf(this.requests.shift() ?? noted);
    if (all <= REMEMBERED_BYTES) return;
    delete noted.body;
    delete noted.answer;
    this.#sizes.delete(noted);
  }
}
