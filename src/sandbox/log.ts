/** The requests that the sandbox received, without credentials, passwords and pre-signed URLs. */
import { operations } from '../cloud/contract/index.ts';
import { inputsOf } from '../cloud/contract/inputs.ts';

/** A received request. */
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

/** The names of all secret inputs; bodies of a caller's own may have others like them. */
const secretNames = new Set(
  operations.flatMap((operation) =>
    inputsOf(operation)
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => name),
  ),
);
const isSecretName = (name: string): boolean =>
  secretNames.has(name) || /passw|pwd|secret|api_?key/i.test(name);

/** The value with its secrets hidden. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, isSecretName(name) ? '***' : withoutSecrets(each)]),
  );
}

export class RequestLog {
  /** The last requests, oldest first. */
  readonly requests: SandboxRequest[] = [];

  note(method: string, path: string): SandboxRequest {
    const noted: SandboxRequest = { method, path };
    if (this.requests.push(noted) > REMEMBERED) this.requests.shift();
    return noted;
  }
}
