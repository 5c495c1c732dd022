/** `hostnode report --now`: makes the running agent collect and report now, and prints the result. */
import { exitCode } from '../base/exit-code.ts';
import { quantity } from '../base/words.ts';
import type { ReportAnswer } from '../status/commands.ts';
import { type AgentOptions, callAgent } from './agent.ts';
import { say, sayError, sayJson, UsageError } from './terminal.ts';
import { troubleLines } from './trouble.ts';

/** Slow phones and a slow cloud need time, ms. */
const ROUND_MS = 120_000;

export async function report({ now, json, ...option }: AgentOptions<'now' | 'json'>): Promise<void> {
  if (!now)
    throw new UsageError(
      'the agent reports by itself: changes at once, everything on report.schedule. To report now, use "report --now"',
    );
  const request = { method: 'POST', path: '/report', timeoutMs: ROUND_MS } as const;
  const answer = await callAgent<ReportAnswer>(option, request);
  if (json) sayJson(answer);
  else sayResult(answer);
  process.exitCode = codeOf(answer);
}

function codeOf({ failed, adbFailure, outcome }: ReportAnswer): number {
  if (outcome.kind === 'notReporting') return exitCode.config;
  if (outcome.kind === 'failed' || outcome.kind === 'postponed') return exitCode.cloud;
  if (adbFailure !== undefined) return exitCode.adb;
  const isStoredInPart = outcome.kind === 'stored' && (outcome.refused.length > 0 || failed > 0);
  return isStoredInPart ? exitCode.failed : exitCode.ok;
}

function sayResult({ attached, collected, failed, adbFailure, outcome }: ReportAnswer): void {
  if (adbFailure !== undefined)
    sayError(`cannot reach adb: ${adbFailure}`, '  → Run hostnode doctor: it finds out what to do');
  if (failed > 0) sayError(`${failed} of ${quantity(collected, 'phone')} did not answer`);
  const phones = quantity(attached, 'phone');
  switch (outcome.kind) {
    case 'stored':
      for (const { udid, message } of outcome.refused) sayError(`the cloud rejected ${udid}: ${message}`);
      say(`${phones} attached; the cloud stored ${outcome.devices}, rejected ${outcome.refused.length}`);
      break;
    case 'notReporting':
      sayError(`${phones} attached; not reporting: ${outcome.reason}`);
      break;
    case 'failed':
      sayError(...troubleLines('the cloud did not store the report', outcome), '  The agent keeps trying');
      break;
    case 'postponed':
      sayError('the cloud asked us to wait (Retry-After): the agent reports after that');
      break;
    case 'superseded':
      say('a newer report replaced this one');
  }
}
