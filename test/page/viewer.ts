/** Somebody with a browser before the page. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { HostStatus } from '../../src/status/host-status.ts';
import { openWindow, startChromium } from '../support/chromium.ts';
import { ServedPage } from './served-page.ts';

export class Viewer {
  readonly served: ServedPage;
  /** What went wrong in the browser: errors, refusals by the page's policy, requests to elsewhere. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;

  static async start(): Promise<Viewer> {
    const browser = await startChromium();
    return new Viewer(browser, await ServedPage.start());
  }

  private constructor(browser: Browser, served: ServedPage) {
    this.#browser = browser;
    this.served = served;
  }

  /** A window of its own, whose complaints are kept. */
  newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const { complaints, served } = this;
    return openWindow(this.#browser, { ...options, origin: served.origin, complaints });
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
