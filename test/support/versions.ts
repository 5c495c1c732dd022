/** State files as other versions of hostnode leave them. */

/** As the first version wrote them: without the fields that came later. */
export const older: Readonly<Record<string, string>> = {
  'roster.json': `${JSON.stringify({
    version: 1,
    devices: [
      {
        udid: 'RE47644423',
        serial: 'RE47644423',
        connection: 'usb',
        attached: false,
        state: 'disconnected',
        lastSeenAt: 1_790_000_000_000,
        identity: { model: 't.phone', isEmulator: false },
        reported: true,
      },
    ],
    sharedSerials: ['0123456789ABCDEF'],
  })}\n`,
  'maintenance.json': `${JSON.stringify({
    version: 1,
    phones: [{ udid: 'RE47644423', until: 4_000_000_000_000, reason: 'new battery' }],
  })}\n`,
  'node-id': '3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927\n',
};

/** As a later version may write them: of another shape, and of a higher version number. */
export const newer: Readonly<Record<string, string>> = {
  'roster.json': '{"version":2,"phones":{"RE47644423":{"seen":[1790000000000]}}}\n',
  'maintenance.json': '{"version":2,"plans":[{"udid":"RE47644423","from":1,"to":4000000000000}]}\n',
};

/** The same file with fields beside its own that nobody knows here. */
export const withMore = (text: string): string =>
  `${JSON.stringify({ ...JSON.parse(text), later: { than: 'this' } })}\n`;
