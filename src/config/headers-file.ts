/** The headers of a request in a file: `Name: value`, one a line. */

export type Headers = Readonly<Record<string, string>>;

const MOST_HEADERS = 20;
const LONGEST_VALUE = 8192;

/** A name (RFC 9110, 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** What every server takes, and no header can be smuggled by. */
const VALUE = /^[\x20-\x7e]+$/;

/** Headers that the request itself has. */
const OWN = [
  ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect'],
  ...['host', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
];

/** @returns the headers by their names in lower case; or what is wrong, without any value */
export function parseHeaders(text: string): { headers: Headers } | { problem: string } {
  const headers = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const isHeader = colon > 0 && NAME.test(name) && VALUE.test(value) && value.length <= LONGEST_VALUE;
    if (!isHeader) return { problem: `line ${index + 1} must be "Name: value" in ASCII` };
    if (OWN.includes(name)) return { problem: `line ${index + 1}: hostnode sets ${name} itself` };
    if (headers.has(name)) return { problem: `line ${index + 1}: ${name} is there twice` };
    headers.set(name, value);
  }
  if (headers.size === 0) return { problem: 'must contain "Name: value", one a line' };
  if (headers.size > MOST_HEADERS) return { problem: `more than ${MOST_HEADERS} headers` };
  return { headers: Object.fromEntries(headers) };
}
