/** Why a push failed, in words that name the settings of the push. */
import { STATUS_CODES } from 'node:http';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { CloudError } from '../../../cloud/errors.ts';
import { parseHttpDate, parseRetryAfter } from '../../../cloud/failure.ts';
import type { HttpResponse } from '../../../cloud/http.ts';
import { LONGEST_MESSAGE, type Redact, shown, wordsIn } from '../../../cloud/redaction.ts';

const ENDPOINT = 'metrics.otlp.endpoint';

/** The endpoint did not take the metrics. */
export class PushError extends CloudError {
  readonly code = 'METRICS_NOT_PUSHED';
}

/** No complete answer: the error of the connection, or of the way to it. */
export function failureOfWay({ request, status, trouble }: CloudError): PushError {
  const { failure, remedy = '' } = trouble;
  const named = remedy.replaceAll('the base URL', ENDPOINT).replaceAll('cloud.caFile', 'metrics.otlp.caFile');
  const seen = failure.slice(`${request}: `.length);
  return new PushError(seen, omitUndefined({ request, status, remedy: clause(named) || undefined }));
}

const clause = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/**
 * An answer other than one of OTLP to metrics that were taken.
 *
 * @param request method and address
 */
export function failureOfAnswer(request: string, answer: HttpResponse, redact: Redact): PushError {
  const { status, headers, text } = answer;
  const sentAt = parseHttpDate(headers.date ?? '');
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Number.isNaN(sentAt) ? Date.now() : sentAt);
  // receivers such as Prometheus say the reason as plain text
  const isPlain = /^text\/plain\b/.test(headers['content-type'] ?? '');
  const said = isPlain ? shown(text, redact, LONGEST_MESSAGE) || undefined : wordsIn(text, redact).said;
  const remedy = remedyOf(status);
  return new PushError(
    seenOf(answer, redact),
    omitUndefined({ request, status, said, remedy, retryAfterMs }),
  );
}

function seenOf({ status, headers }: HttpResponse, redact: Redact): string {
  if (status >= 400) return `${status} ${STATUS_CODES[status] ?? 'unknown status'}`;
  if (status < 300) return `the answer is not one of OTLP: ${status}`;
  const target = URL.parse(headers.location ?? '');
  const to =
    target === null ? '' : `: redirects to ${shown(`${target.origin}${target.pathname}`, redact, 200)}`;
  return `${status}, not followed${to}`;
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return 'check the headers (metrics.otlp.headersFile)';
  if (status === 413) return 'ask the administrator of the endpoint to allow larger bodies';
  if (status === 408 || status === 429 || status >= 500)
    return 'wait, the endpoint cannot take metrics now; if that lasts, tell its administrator';
  if (status === 400 || status === 422) return 'look in the log of the endpoint for the reason';
  return `check ${ENDPOINT}, with its path, and that its OTLP receiver is turned on`;
}
