import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { body, TestServer } from '../support/cloud-server.ts';
import { answering, apiKey, credentials, failure, overEach, put } from './exchange.ts';

overEach(() => {
  describe('a status that is an error', () => {
    it.each([
      [408, 'CLOUD_UNAVAILABLE'],
      [429, 'CLOUD_UNAVAILABLE'],
      [500, 'CLOUD_UNAVAILABLE'],
      [502, 'CLOUD_UNAVAILABLE'],
      [503, 'CLOUD_UNAVAILABLE'],
      [599, 'CLOUD_UNAVAILABLE'],
      [401, 'CLOUD_UNAUTHORIZED'],
      [403, 'CLOUD_FORBIDDEN'],
      [407, 'CLOUD_UNAUTHORIZED'],
      [400, 'CLOUD_REFUSED'],
      [404, 'CLOUD_NOT_FOUND'],
      [409, 'CLOUD_CONFLICT'],
      [405, 'CLOUD_REFUSED'],
      [422, 'CLOUD_REFUSED'],
      [413, 'CLOUD_TOO_LARGE'],
      [300, 'CLOUD_REDIRECTED'],
      [304, 'CLOUD_REDIRECTED'],
      [201, 'CLOUD_ANSWER_INVALID'],
      [204, 'CLOUD_ANSWER_INVALID'],
    ])('%i from the cloud is %s, after one request', async (status, code) => {
      const { error, received, address } = await failure(answering(status));
      expect({ code: error.code, status: error.status, request: error.request }).toEqual({
        code,
        status,
        request: address,
      });
      expect(received).toHaveLength(1);
    });

    it('quotes the beginning of the message, on one line, and what cannot be seen is made visible', async () => {
      const message = `no such\r\n\u001b[2Jpage\u202e ${'x'.repeat(5000)}`;
      const { error, address } = await failure(answering(404, JSON.stringify({ message })));
      const said = `no such ␛[2Jpage\\u{202e} ${'x'.repeat(175)}`;
      expect(error.trouble).toEqual({
        failure: `${address}: 404 Not Found`,
        said,
        remedy: 'Check the base URL',
        isRejected: true,
      });
      expect(said).toHaveLength(200);
      expect(error.message).toBe(`${address}: 404 Not Found ("${said}"); check the base URL`);
    });

    it.each([
      ['{"message":"the \\"key\\" is\\u0020old"}', 'the "key" is old', ''],
      ['{"message":"no","code":7}', 'no', ''],
      ['{"message":7}', undefined, ', JSON without a message'],
      ['<html>the key is old</html>', undefined, ', an HTML page'],
      ['the key is old', undefined, ', not JSON'],
      ['  ', undefined, ''],
    ])('shows the message of a body apart, and nothing else of it: %s', async (text, said, kind) => {
      const { error, address } = await failure(answering(401, text));
      expect(error.trouble).toEqual({
        failure: `${address}: 401 Unauthorized${kind}`,
        ...(said !== undefined && { said }),
        remedy: 'Check the user name and the API key, and that the key was not revoked',
        isRejected: true,
      });
    });

    it.each([407, 408, 429, 500, 503])('%i is no rejection by the cloud', async (status) => {
      const { error } = await failure(answering(status, ''));
      expect(error.trouble).not.toHaveProperty('isRejected');
    });

    it('leaves out words that would give the key away: "the API key is [redacted]" says it all', async () => {
      const { error } = await failure(answering(401, '{"message":"the API key is wrong"}'), {
        apiKey: 'wrong',
      });
      expect(error.trouble).not.toHaveProperty('said');
      expect(error.message).not.toMatch(/wrong|redacted/);
    });

    it.each([
      ['7', 7_000],
      [new Date(Date.now() - 60_000).toUTCString(), 0],
      ['99999999999999999999', 3_600_000],
      ['soon', undefined],
      ['-5', undefined],
    ])('with Retry-After %s asks to wait %s ms', async (header, retryAfterMs) => {
      const { error } = await failure(answering(503, '', { 'retry-after': header }));
      expect(error).toMatchObject({ code: 'CLOUD_UNAVAILABLE', retryAfterMs });
    });

    it.each([
      ['Wed, 01 Jan 2025 12:00:00 GMT', 5_000],
      ['12:00', 0],
    ])('with Retry-After as a date is measured against its own date: %s', async (date, retryAfterMs) => {
      const headers = { date, 'retry-after': 'Wed, 01 Jan 2025 12:00:05 GMT' };
      expect((await failure(answering(503, '', headers))).error).toMatchObject({ retryAfterMs });
    });
  });

  describe('an answer with a byte order mark before it', () => {
    it('is read like any other', async () => {
      const { outcome } = await put(answering(200, '\ufeff{"failedDevices":[]}'));
      expect(outcome).toEqual({ failedDevices: [] });
    });
  });

  describe('an answer that refuses what was not sent', () => {
    it('is told in one line and without secrets', async () => {
      const udid = `\u001b[2J ${apiKey}\n490154203237518`;
      const { outcome } = await put(
        answering(200, JSON.stringify({ failedDevices: [{ udid, message: '' }] })),
      );
      expect(outcome).toEqual({ failedDevices: [{ udid: '␛[2J [redacted] [number]', message: '' }] });
    });
  });

  describe('an answer that quotes what names a phone in the mobile network', () => {
    const imei = '001017003000018';
    const meid = 'A1000049A2B3C4';
    const iccid = '8949020000001234567';
    const devices: DeviceInfo[] = [
      {
        ...{ udid: 'A', status: 'PLUGGED', state: 'device', message: '', platformName: 'ANDROID' },
        ...{ addedToCloud: true, isHidden: false, isAndroid: true, isIos: false },
        support: {
          appiumDisabled: false,
          networkTrafficCapturingDisabled: false,
          unlockPasscodeDisabled: false,
          setTimeZoneDisabled: false,
          networkPayloadCaptureDisabled: false,
        },
        telephony: {
          carriersInfo: [
            { slot: 0, imei, iccid },
            { slot: 1, meid },
          ],
        },
      },
    ];
    const said = [
      [`IMEI${imei} taken`, 'IMEI[number] taken'],
      [`iccid:${iccid}F`, 'iccid:[number]'],
      ['001017-00-300001-8, 0010 1700 3000 018', '[number], [number]'],
      [`x${meid.toLowerCase()}x A1-000049-A2B3C4`, 'x[number]x [number]'],
      ['IMEI490154203237518, 35-209900-176148-1', 'IMEI490154203237518, 35-209900-176148-1'],
    ] as const;

    it.each(said)('is told without it: %s', async (message, told) => {
      const refusal = JSON.stringify({ failedDevices: [{ udid: 'A', message }] });
      const { outcome } = await put(answering(200, refusal), {}, { ...body, devices });
      expect(outcome).toEqual({ failedDevices: [{ udid: 'A', message: told }] });
      const { outcome: error } = await put(
        answering(400, JSON.stringify({ message })),
        {},
        { ...body, devices },
      );
      expect(error).toMatchObject({ trouble: { said: told } });
    });
  });

  describe('an answer with large headers', () => {
    const withHeaders = (bytes: number) =>
      answering(200, '{"failedDevices":[]}', { 'x-trace': 'x'.repeat(bytes) });

    it('is read up to a limit', async () => {
      expect((await put(withHeaders(100_000))).outcome).toEqual({ failedDevices: [] });
      const { error } = await failure(withHeaders(200_000));
      expect(error.message).toMatch(
        /: the headers of the answer are too large \(HPE_HEADER_OVERFLOW\); check /,
      );
    });
  });

  describe('what speaks another protocol', () => {
    it.each(['SSH-2.0-OpenSSH_9\r\n', '220 mail.example ESMTP\r\n', 'RFB 003.008\n'])(
      'is said to: %j',
      async (banner) => {
        const { error } = await failure(({ socket }) => socket.end(banner));
        expect(error.code).toBe('CLOUD_UNAVAILABLE');
        expect(error.message).toMatch(
          /: the server there does not speak HTTP \(HPE_\w+\); check the base URL, its scheme and its port$/,
        );
      },
    );
  });

  describe('an answer of something else', () => {
    it.each([
      ['a page', '<html>Welcome to the hotel</html>'],
      ['nothing', ''],
      ['a list', '[]'],
      ['another object', '{"status":"ok"}'],
      ['devices without names', '{"failedDevices":[{"message":"no"}]}'],
      ['half an answer of JSON', '{"failedDevices":['],
    ])('%s with 200 is not a success', async (_, text) => {
      const { error } = await failure(answering(200, text));
      expect(error.code).toBe('CLOUD_ANSWER_INVALID');
      expect(error.message).toContain('the answer is not one of this API: 200');
    });

    it('is cut off after 1 MiB', async () => {
      let written = 0;
      const { error } = await failure((_, response) => {
        const more = () => {
          while (!response.destroyed && written < 100 * 1024 * 1024) {
            written += 65_536;
            if (!response.write(Buffer.alloc(65_536, 'x'))) return;
          }
          response.end();
        };
        response.on('drain', more);
        more();
      });
      expect(error.message).toContain('the answer is not one of this API: 200, over 1 MiB');
      expect(written).toBeLessThan(50 * 1024 * 1024);
    });

    it('is not unpacked when it comes packed in spite of us', async () => {
      const packed = gzipSync('{"failedDevices":[]}');
      const { error } = await failure((_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
      );
      expect(error.code).toBe('CLOUD_ANSWER_INVALID');
      expect(error.message).toContain('200, gzip, for which hostnode did not ask');
    });
  });

  describe('a redirect', () => {
    it.each([307, 308])('%i to the same origin is followed with the method and the body', async (status) => {
      const { outcome, received } = await put((request, response) =>
        request.url === '/v1/devices'
          ? response.writeHead(status, { location: '/v1.1/devices' }).end()
          : response.end('{"failedDevices":[]}'),
      );
      expect(outcome).toEqual({ failedDevices: [] });
      const [first, second] = received;
      expect(second).toMatchObject({ method: 'PUT', url: '/v1.1/devices', body: first?.body });
      expect(second?.headers.authorization).toBe(`Basic ${credentials}`);
    });

    it.each([301, 302, 303, 307, 308])('%i to another origin is an error that names both', async (status) => {
      await using other = await TestServer.listen(answering(200, '{"failedDevices":[]}'));
      const location = `http://user:pass@127.0.0.1:${other.port}/v1/devices?token=1`;
      const { error, address, received } = await failure(answering(status, '', { location }));
      expect(error.code).toBe('CLOUD_REDIRECTED');
      expect(error.message).toBe(
        `${address}: ${status}, not followed: redirects to http://127.0.0.1:${other.port}/v1/devices; check the base URL`,
      );
      expect(other.received).toEqual([]);
      expect(received).toHaveLength(1);
    });

    it('is not what a cache says of a copy', async () => {
      const { error, address } = await failure(answering(304, ''));
      expect(error.code).toBe('CLOUD_REDIRECTED');
      expect(error.message).toBe(
        `${address}: 304 Not Modified: a cache answers, and hostnode has no copy; check the base URL`,
      );
    });

    it('round in a circle ends', async () => {
      const { error, received } = await failure(answering(307, '', { location: '/v1/devices' }));
      expect(error.code).toBe('CLOUD_REDIRECTED');
      expect(received).toHaveLength(4);
    });
  });

  describe('credentials', () => {
    const spellings = [
      ...[apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)],
      ...[credentials, Buffer.from(apiKey).toString('base64')],
    ];
    const echo = spellings.filter((spelling) => !spelling.includes('\\')).join(' | ');
    const message = JSON.stringify({ message: echo });

    it.each<[string, RequestListener]>([
      ['an error', answering(400, message)],
      ['an error page', answering(400, `<html>${spellings.join(' | ')}</html>`)],
      ['a message in place of an answer', answering(200, message)],
      ['a server that is down', answering(500, message)],
      ['a refusal', answering(401, message)],
      ['a redirect', answering(302, '', { location: `http://other.example/${encodeURIComponent(apiKey)}` })],
    ])('are in no part of the error, though %s echoes them', async (_, answer) => {
      const { error } = await failure(answer);
      const shown = inspect(error, { depth: 10, showHidden: true });
      expect(shown).toMatch(/\[redacted\]|401 Unauthorized; |an HTML page/);
      expect(spellings.filter((spelling) => shown.includes(spelling))).toEqual([]);
    });

    it('are in no part of the error when the connection fails', async () => {
      const { error } = await failure((request) => request.socket.resetAndDestroy());
      const shown = inspect(error, { depth: 10, showHidden: true });
      expect(spellings.filter((spelling) => shown.includes(spelling))).toEqual([]);
    });
  });
});
