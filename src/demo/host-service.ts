/**
 * The requests that an adb server answers by itself, without a conversation with a phone.
 *
 * Source: AOSP adb, adb.cpp: handle_host_request.
 */
import { fail, frame, okay } from './adb-wire.ts';
import { findTransport, listTransports, type Transport, type Wanted } from './transport.ts';

const answer = (text: string): Buffer => Buffer.concat([okay, frame(text)]);

/**
 * The whole answer to a `host…` request.
 *
 * @param version the server's protocol version
 */
export function hostAnswer(request: string, transports: readonly Transport[], version: number): Buffer {
  if (request === 'host:version') return answer(version.toString(16).padStart(4, '0'));
  if (request === 'host:devices') return answer(listTransports(transports, false));
  if (request === 'host:devices-l') return answer(listTransports(transports, true));
  if (request === 'host:kill') return fail('simulated: not killed');
  const address = /^host:connect:(.*)$/s.exec(request)?.[1];
  // adb answers OKAY with a sentence even if it could not connect
  if (address !== undefined) return answer(`failed to connect to '${address}': simulated phones only`);
  return phoneQuery(request, transports) ?? fail('unknown host service');
}

/** The answer to a question about one phone; undefined for any other request. */
function phoneQuery(request: string, transports: readonly Transport[]): Buffer | undefined {
  const [, id, serial, query] =
    /^host(?:-transport-id:(\d+)|-serial:(.+))?:(features|get-state)$/s.exec(request) ?? [];
  if (query === undefined) return undefined;
  const wanted: Wanted =
    id !== undefined ? { id: Number(id) } : serial !== undefined ? { target: serial } : 'any';
  const found = findTransport(transports, wanted);
  if (typeof found === 'string') return fail(found);
  return answer(query === 'features' ? found.phone.features.join(',') : found.phone.state);
}
