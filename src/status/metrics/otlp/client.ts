/** Sends metrics in OTLP's form to the endpoint, once. */
import type { Environment } from '../../../base/environment.ts';
import { printable } from '../../../base/printable.ts';
import { Endpoint, type EndpointWords } from '../../../cloud/endpoint.ts';
import type { HttpResponse } from '../../../cloud/http.ts';
import type { Redact } from '../../../cloud/redaction.ts';
import type { OtlpConfig } from '../../../config/metrics.ts';

const PROTOBUF = 'application/x-protobuf';

/** What messages call the settings of the push. */
export const otlpWords: EndpointWords = {
  code: 'METRICS_NOT_PUSHED',
  address: 'metrics.otlp.endpoint',
  headersFile: 'metrics.otlp.headersFile',
  caFile: 'metrics.otlp.caFile',
  what: 'metrics',
  stranger: 'the answer is not one of OTLP',
  check: 'check metrics.otlp.endpoint, with its path, and that its OTLP receiver is turned on',
};

export class OtlpClient {
  readonly #endpoint: Endpoint;

  /**
   * @param env names the proxy
   * @throws {ConfigError} the proxy's address is invalid
   */
  constructor({ endpoint, headers = {}, ca, timeoutSeconds }: OtlpConfig, env: Environment) {
    const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const);
    this.#endpoint = new Endpoint(
      {
        url: new URL(endpoint),
        request: `POST ${printable(endpoint)}`,
        words: otlpWords,
        headers: Object.fromEntries(revealed),
        contentType: PROTOBUF,
        ca,
        timeoutMs: timeoutSeconds * 1000,
      },
      env,
    );
  }

  /** Hides the headers' values in a text. */
  get redact(): Redact {
    return this.#endpoint.redact;
  }

  /**
   * @param body an ExportMetricsServiceRequest; empty: no metrics, which changes nothing there
   * @param read parses the answer, an ExportMetricsServiceResponse; it may throw
   * @throws {EndpointError}, or the signal's reason
   */
  async send<T>(body: Uint8Array, read: (answer: Uint8Array) => T, signal: AbortSignal): Promise<T> {
    const answer = await this.#endpoint.post(body, signal);
    try {
      if (isOfOtlp(answer)) return read(isProtobuf(answer) ? answer.bytes : new Uint8Array());
    } catch {
      // no such message: said below
    }
    throw this.#endpoint.failure(answer);
  }
}

const typeOf = ({ headers }: HttpResponse): string => headers['content-type'] ?? '';
const isProtobuf = (answer: HttpResponse): boolean => typeOf(answer).startsWith(PROTOBUF);

/** A page of another service, in place of an answer, is none. Receivers may leave the answer empty, or write JSON. */
function isOfOtlp(answer: HttpResponse): boolean {
  const { status, bytes, isWhole } = answer;
  if (status < 200 || status >= 300 || !isWhole) return false;
  return bytes.length === 0 || isProtobuf(answer) || typeOf(answer).startsWith('application/json');
}
