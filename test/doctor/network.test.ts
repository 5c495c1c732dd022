import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { lookAtCertificate } from '../../src/doctor/network.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { freePort } from '../support/raw-server.ts';

const noSignal = new AbortController().signal;

/** A TLS server with a certificate of its own, made now; what it was told is kept. */
async function tlsServer() {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=Lab CA', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '40'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyFile, '-out', certFile, ...subject], {
    stdio: 'ignore',
  });
  const cert = await readFile(certFile, 'utf8');
  const rawAnswers: string[] = [];
  const server = createServer({ key: await readFile(keyFile, 'utf8'), cert }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => rawAnswers.push(chunk.toString()));
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { place: { host: '127.0.0.1', port: (server.address() as AddressInfo).port }, cert, rawAnswers };
}

describeWhere('a cloud over TLS', { missing: without(['openssl']) }, () => {
  it('is trusted with its own CA, and its days are counted', async () => {
    const { place, cert } = await tlsServer();
    expect(await lookAtCertificate(place, cert, noSignal)).toEqual({
      name: 'TLS',
      status: 'ok',
      seen: 'TLSv1.3, certificate of "Lab CA" valid for 39 more days, own CA (cloud.caFile)',
    });
  });

  it('is not trusted without it; who signed is told, and the cloud is told nothing', async () => {
    const { place, rawAnswers } = await tlsServer();
    expect(await lookAtCertificate(place, undefined, noSignal)).toEqual({
      name: 'TLS',
      status: 'failed',
      seen: 'TLSv1.3, certificate of "Lab CA" valid for 39 more days: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
      remedy:
        'If it is yours, name its file in cloud.caFile, and reload hostnode whenever that file is renewed',
    });
    expect(rawAnswers).toEqual([]);
  });
});

it('a cloud where nothing listens has no certificate', async () => {
  const place = { host: '127.0.0.1', port: await freePort() };
  expect(await lookAtCertificate(place, undefined, noSignal)).toMatchObject({
    status: 'failed',
    seen: 'nothing listens there (ECONNREFUSED)',
  });
});
