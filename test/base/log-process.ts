/**
 * A process that logs to stdout. With `flood` in argv it logs far more than a pipe holds, then tells on stderr, as
 * JSON, what was dropped and whether the flush ended before a later timer, and ends.
 */
import { createLogger } from '../../src/base/log.ts';

const [, , what, format = 'auto'] = process.argv;
const { logger, dropped, flush } = createLogger({
  level: 'info',
  format: format as 'auto',
  destination: 'stdout',
});

if (what === 'facts') {
  logger.info({ imei: '356', phones: [{ telephony: { iccid: '8901' } }], cloud: { apiKey: 'k' } }, 'round');
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const err = Object.assign(new TypeError('\u001b[2Jbad\nline', { cause }), {
    options: { headers: { authorization: 'Basic s3cret' } },
  });
  logger.warn({ err }, 'failed');
  logger.info({ model: 'a\u007fb\u009bc' }, 'a\u007fb\u009bc');
}

if (what === 'flood') {
  const ticks = 50;
  const pad = 'x'.repeat(1000);
  for (let tick = 0; tick < ticks; tick++) {
    for (let line = 0; line < 100; line++) logger.info({ pad }, 'flood');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  let isLate = false;
  setTimeout(() => {
    isLate = true;
  }, 1_000);
  await flush(200);
  const told = { dropped: dropped(), isLate };
  process.stderr.write(`${JSON.stringify(told)}\n`, () => process.exit(0));
}

if (what === 'until-told') {
  for (let line = 0; line < 5000; line++) logger.info({ pad: 'x'.repeat(1000) }, 'flood');
  process.stdin.once('data', () => process.stdin.destroy());
}
