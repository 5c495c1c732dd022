/** The built page behind the server that a host has for it, with a host whose data a test controls. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buildPage } from '../../packaging/bundle-page.ts';
import { close } from '../../src/base/http.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { CommandRefusedError } from '../../src/status/commands.ts';
import type { HostStatus, Sample, Why } from '../../src/status/host-status.ts';
import { App, refusal } from '../../src/status/http/app.ts';
import { statusFeed } from '../../src/status/http/feed.ts';
import { dataRoutes, pageRoutes, pastRoutes, servedFile } from '../../src/status/http/routes.ts';
import { sharedAnswers } from '../../src/status/http/shared-answers.ts';
import type { PhonePast } from '../../src/status/phone-past.ts';
import { silentLog } from '../support/log.ts';
import { samplePhone } from './sample-host.ts';
import { SamplePast, sampleWhy } from './sample-past.ts';

export class ServedPage {
  readonly #app: App;
  readonly #source = {
    status: () => this.#status,
    phone: async (udid: string) => {
      const phone = this.#status && samplePhone(this.#status, udid, this.history);
      return phone && omitUndefined({ ...phone, simulatedUntil: this.simulatedUntil });
    },
    onChange: () => {},
    isProgressing: true,
  };
  #status: HostStatus | undefined;
  /** What the phones' history is; absent: a day of the sample. */
  history: Sample[] | undefined;
  /** Its history before is said to be made up, ms since the epoch. */
  simulatedUntil: number | undefined;
  /** The phones' days and events. */
  past = new SamplePast(() => this.#status);
  /** Why something is so; absent: that of the sample. */
  why: Why | undefined;
  /** While false all data is refused. */
  answers = true;
  /** How often the events were asked for. */
  connections = 0;

  static async start(): Promise<ServedPage> {
    const { files } = await buildPage(process.cwd());
    const served = new ServedPage();
    served.#app.add(pageRoutes(files.map(servedFile), ['page', 'metrics']));
    await once(served.#app.server.listen(0, '127.0.0.1'), 'listening');
    return served;
  }

  private constructor() {
    this.#app = new App(silentLog, {
      check: ({ url }) => {
        if (url === '/api/events') this.connections += 1;
        return this.answers ? undefined : refusal(503, 'refused by the test');
      },
    });
    const source = this.#source;
    const past: PhonePast = {
      uptime: (...asked) => this.past.uptime(...asked),
      samples: (...asked) => this.past.samples(...asked),
      events: (...asked) => this.past.events(...asked),
    };
    const why = async (name: string) => {
      const known = this.why ?? (this.#status && sampleWhy(this.#status, name));
      if (known === undefined) throw new CommandRefusedError('not known', 404);
      return known;
    };
    // the page asks for none
    const verdict = () => Promise.reject(new CommandRefusedError('not known', 404));
    this.#app.add([
      ...pastRoutes(source, past, { why, verdict }, sharedAnswers({ freshMs: 0 })),
      ...dataRoutes(statusFeed(source, { freshMs: 0, renewMs: 15_000 })),
    ]);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#app.server.address() as AddressInfo).port}`;
  }

  /** What the host is like from now on; told to all who follow. */
  push(status: HostStatus): void {
    this.#status = status;
    this.#source.onChange();
  }

  /** Cuts all connections. */
  drop(): void {
    this.#app.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    await close(this.#app.server);
  }
}
