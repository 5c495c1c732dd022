/** The CA certificates of a file of our own choice. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { throwIfPassing } from '../base/errors.ts';

/** Each certificate of a PEM text; the last may be cut off. */
const certificate = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/**
 * The certificates, or why we cannot use them. TLS itself skips a broken one silently.
 *
 * @throws {ConfigUnreadableError}
 */
export function readAuthorities(file: string): { ca: string } | { problem: string } {
  try {
    const ca = readFileSync(file, 'utf8');
    const certificates = ca.match(certificate) ?? [];
    if (certificates.length === 0) return { problem: `${file}: contains no PEM certificate` };
    return certificates.every(isCertificate)
      ? { ca }
      : { problem: `${file}: contains a broken or truncated PEM certificate` };
  } catch (error) {
    throwIfPassing(file, error);
    return { problem: `${file}: cannot be read (${error instanceof Error ? error.message : error})` };
  }
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
