/** Somebody with a browser before the page. Whatever the browser complains of is kept, and no address but the host's is asked. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import type { HostStatus } from '../../src/status/host-status.ts';
import { chromiumPath, PATIENCE_MS } from '../support/describe-with.ts';
import { ServedPage } from './served-page.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox', // which root needs
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export class Viewer {
  readonly served: ServedPage;
  /** What went wrong in the browser: errors, refusals by the page's policy, requests to elsewhere. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;

  static async start(): Promise<Viewer> {
    const executablePath = chromiumPath();
    if (executablePath === undefined) throw new Error('chromium is not installed');
    const browser = await chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS });
    return new Viewer(browser, await ServedPage.start());
  }

  private constructor(browser: Browser, served: ServedPage) {
    this.#browser = browser;
    this.served = served;
  }

  /** A window of its own, whose complaints are kept. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== this.served.origin)
        this.complaints.push(`asked ${request.url()}`);
    });
    return context;
  }

  /**
   * Opens the page on a host.
   *
   * @param hash the address within the page
   * @param hasClock the page's time is the test's to set forward: `page.clock`
   * @param fixedAt the page's time stands still here, ms since the epoch
   */
  async open(
    status: HostStatus,
    hash = '',
    options: BrowserContextOptions = {},
    { hasClock = false, fixedAt }: { hasClock?: boolean; fixedAt?: number } = {},
  ): Promise<Page> {
    this.served.push(status);
    const context = await this.newContext(options);
    const page = await context.newPage();
    if (hasClock) await page.clock.install();
    if (fixedAt !== undefined) await page.clock.setFixedTime(fixedAt);
    await page.goto(`${this.served.origin}/${hash}`);
    await page.waitForSelector('.summary');
    if (hash.startsWith('#phone/')) await page.waitForSelector('.fact-list');
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.served.stop();
  }
}
