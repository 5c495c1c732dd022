/** A browser. Whatever it complains of is kept, and no address but the host's is asked. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { chromiumPath, PATIENCE_MS } from './describe-with.ts';

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

export async function startChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('chromium is not installed');
  return chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS });
}

export interface WindowOptions extends BrowserContextOptions {
  /** The one place that may be asked. */
  origin: string;
  /** Gets what goes wrong: errors, refusals by the page's policy, requests to elsewhere. */
  complaints: string[];
}

/** A window of its own. */
export async function openWindow(
  browser: Browser,
  { origin, complaints, ...options }: WindowOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.protocol !== 'data:' && asked.origin !== origin) complaints.push(`asked ${request.url()}`);
  });
  return context;
}
