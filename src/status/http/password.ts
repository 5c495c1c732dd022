/** The password of the page, by HTTP Basic authentication (RFC 7617). */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Does a request have the right password? Any user name is fine: the password is the lab's, not a person's.
 *
 * @param authorization the raw header
 */
export function knowsPassword(authorization: string | undefined, password: string): boolean {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return false;
  const said = Buffer.from(encoded, 'base64').toString();
  const colon = said.indexOf(':');
  return colon >= 0 && timingSafeEqual(digest(said.slice(colon + 1)), digest(password));
}
