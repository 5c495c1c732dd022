/** `hostnode why`: what is so of a phone or a place, since when, who is to blame, and what to do. */

import type { Why } from '../status/host-status.ts';
import { type AgentOption, callAgent } from './agent.ts';
import { momentOf } from './moment.ts';
import { sayJson, UsageError } from './terminal.ts';

export interface WhyOptions extends AgentOption {
  since?: string;
  all?: boolean;
  json?: boolean;
}

const ANSWER_MS = 15_000;
/** Entries of the timeline on a terminal, unless somebody asks for more. */
const ENTRIES = 20;
const MOST_ENTRIES = 1000;

/** @param name any name of a phone, a slot, a shelf, a USB port or a hub */
export async function why(name: string, { since: text, all, json, ...option }: WhyOptions): Promise<void> {
  if (name.trim() === '')
    throw new UsageError('name a phone or a place: udid, serial, slot, USB port, hub, name or model');
  const since = text === undefined ? (all ? 0 : undefined) : momentOf('--since', text);
  const query = new URLSearchParams({
    limit: String(all ? MOST_ENTRIES : ENTRIES),
    ...(since !== undefined && { since: String(Math.max(0, since)) }),
  });
  const path = `/api/why/${encodeURIComponent(name)}?${query}`;
  const answer = await callAgent<Why>(option, { path, timeoutMs: ANSWER_MS });
  if (json) return sayJson(answer);
  const [{ whyLines }, { show }] = await Promise.all([import('./why-lines.ts'), import('./columns.ts')]);
  show(...whyLines(answer, Date.now()));
}
