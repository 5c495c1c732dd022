import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { afterAll, afterEach, expect, it } from 'vitest';
import { body, TestServer } from '../support/cloud-server.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { answering, clientOf, overEach } from './exchange.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostnode-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A self-signed certificate for this address, made now, that lasts for so many days; one of 0 days is over at once. */
function certificate(address: string, days = '2') {
  const key = join(folder, 'key.pem');
  const request = join(folder, 'request.pem');
  const cert = join(folder, 'cert.pem');
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  openssl(
    'req',
    '-new',
    ...curve,
    '-out',
    request,
    '-subj',
    '/CN=cloud',
    '-addext',
    `subjectAltName=${address}`,
  );
  const signed = ['-signkey', key, '-days', days, '-copy_extensions', 'copyall'];
  openssl('x509', '-req', '-in', request, ...signed, '-out', cert);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

/** Puts a report to a server with this certificate; `ca` is what the client trusts in place of the usual. */
async function putTo(pair: { key: string; cert: string }, ca?: string, more: TlsOptions = {}) {
  const server = createServer({ ...pair, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0', ...more });
  await using listening = await TestServer.listen(answering(200, '{"failedDevices":[]}'), server);
  const baseUrl = `https://127.0.0.1:${listening.port}/v1`;
  const client = clientOf(listening, { baseUrl, ...(ca !== undefined && { ca }) });
  const outcome: unknown = await client.putDevices(body).catch((error: unknown) => error);
  client.close();
  return { outcome, requests: listening.received.length };
}

const here = 'IP:127.0.0.1';

overEach(() => {
  describeWhere('a cloud over TLS', { missing: without(['openssl']) }, () => {
    afterEach(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });

    it('is trusted with its own CA', async () => {
      const pair = certificate(here);
      expect(await putTo(pair, pair.cert)).toEqual({ outcome: { failedDevices: [] }, requests: 1 });
    });

    it('is not trusted without, and is told nothing', async () => {
      const { outcome, requests } = await putTo(certificate(here));
      expect(outcome).toMatchObject({
        code: 'CLOUD_UNAVAILABLE',
        message: expect.stringContaining(
          'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT); if it is yours',
        ),
      });
      expect(requests).toBe(0);
    });

    it('is not trusted either where the environment of Node says to trust everything', async () => {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      const { outcome, requests } = await putTo(certificate(here));
      expect(outcome).toMatchObject({ code: 'CLOUD_UNAVAILABLE' });
      expect(requests).toBe(0);
    });

    it('is not trusted with the certificate of another host', async () => {
      const pair = certificate('DNS:other.example');
      const { outcome, requests } = await putTo(pair, pair.cert);
      expect(outcome).toMatchObject({
        message: expect.stringContaining('the certificate is for another host name'),
      });
      expect(requests).toBe(0);
    });

    it('is not trusted with a certificate that has expired', async () => {
      const pair = certificate(here, '0');
      const { outcome, requests } = await putTo(pair, pair.cert);
      expect(outcome).toMatchObject({ message: expect.stringContaining('the certificate has expired') });
      expect(requests).toBe(0);
    });

    it('that wants a certificate of the client is said to want one', async () => {
      const pair = certificate(here);
      const { outcome } = await putTo(pair, pair.cert, { requestCert: true, ca: pair.cert });
      expect(outcome).toMatchObject({
        message: expect.stringMatching(/client certificate.*\(ERR_SSL_\w+\); put a TLS proxy/),
      });
    });

    it('is refused when it speaks nothing newer than TLS 1.1', async () => {
      const pair = certificate(here);
      const { outcome, requests } = await putTo(pair, pair.cert, { maxVersion: 'TLSv1.1' });
      expect(outcome).toMatchObject({ message: expect.stringContaining('no TLS 1.2 or newer there') });
      expect(requests).toBe(0);
    });
  });
});
