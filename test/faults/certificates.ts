/** Certificates for the cloud's door, made now by openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from './front.ts';

/** What can be wrong with a certificate. */
export type Flaw = 'expired' | 'not yet valid' | 'of another host' | 'of an unknown authority';

interface Authorities {
  good: Certificate;
  flawed: Record<Flaw, Certificate>;
  /** What an agent trusts that is to find fault with nothing but the flaw, PEM. */
  trusted: string;
}

/** A self-signed certificate; `when` is the day on which it is made, as faketime says it. */
function make(folder: string, name: string, address: string, { days = '2', when = '+0d' } = {}): Certificate {
  const [key, request, cert] = ['key.pem', 'request.pem', 'cert.pem'].map((name) => join(folder, name));
  const openssl = (...words: string[]) => {
    const run = () => execFileSync('faketime', ['-f', when, 'openssl', ...words], { stdio: 'pipe' });
    try {
      run();
    } catch {
      run(); // what a killed faketime of the same process id has left in shared memory stops the first
    }
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${address}`];
  openssl('req', '-new', ...curve, '-keyout', String(key), '-out', String(request), ...subject);
  const signed = ['-signkey', String(key), '-days', days, '-copy_extensions', 'copyall'];
  openssl('x509', '-req', '-in', String(request), ...signed, '-out', String(cert));
  return { key: readFileSync(String(key), 'utf8'), cert: readFileSync(String(cert), 'utf8') };
}

/** Makes one good certificate for 127.0.0.1 and cloud.test, and one of each flaw. */
export function makeCertificates(): Authorities {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-certificates-'));
  const here = 'IP:127.0.0.1,DNS:cloud.test';
  try {
    // good also where the clock is a year off
    const good = make(folder, 'good', here, { days: '1400', when: '-700d' });
    const flawed = {
      expired: make(folder, 'expired', here, { days: '1', when: '-10d' }),
      'not yet valid': make(folder, 'early', here, { when: '+10d' }),
      'of another host': make(folder, 'other', 'DNS:other.example'),
      'of an unknown authority': make(folder, 'unknown', here),
    };
    const known = [good, flawed.expired, flawed['not yet valid'], flawed['of another host']];
    return { good, flawed, trusted: known.map(({ cert }) => cert).join('') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
