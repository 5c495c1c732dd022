/** `hostnode report --now`: a round of the running agent, out of turn, and what came of it. */

import { exitCode } from '../exit-code.ts';
import type { ReportAnswer } from '../status/commands.ts';
import { callAgent } from './agent-call.ts';
import type { AgentOption } from './agent-socket.ts';
import { say, sayError } from './terminal.ts';

export interface ReportOptions extends AgentOption {
  now?: boolean;
}

/** Phones may take long, and the cloud as well, ms. */
const ROUND_MS = 120_000;

export async function report({ now = false, ...option }: ReportOptions): Promise<void> {
  if (!now) {
    sayError(
      'the agent reports by itself: changes at once, everything on report.schedule; "report --now" has it report now',
    );
    process.exitCode = exitCode.usage;
    return;
  }
  const answer = await callAgent<ReportAnswer>(option, {
    method: 'POST',
    path: '/report',
    timeoutMs: ROUND_MS,
  });
  if (answer !== undefined) process.exitCode = tell(answer);
}

/** @returns the exit code */
function tell({ attached, asked, failed, adbFailure, outcome }: ReportAnswer): number {
  if (adbFailure !== undefined) sayError(`adb cannot be asked: ${adbFailure}`);
  if (failed > 0) sayError(`${failed} of ${asked} phones gave no fresh answer`);
  const phones = attached === 1 ? '1 phone' : `${attached} phones`;
  switch (outcome.kind) {
    case 'stored':
      for (const { udid, message } of outcome.refused) sayError(`the cloud refused ${udid}: ${message}`);
      say(`${phones} attached; the cloud stored ${outcome.devices}, refused ${outcome.refused.length}`);
      if (adbFailure !== undefined) return exitCode.adb;
      return outcome.refused.length > 0 || failed > 0 ? exitCode.failed : exitCode.ok;
    case 'notReporting':
      sayError(`${phones} attached; not reporting: ${outcome.reason}`);
      return exitCode.config;
    case 'failed':
      sayError(`the cloud did not take the report: ${outcome.reason}; the agent goes on trying`);
      return exitCode.cloud;
    case 'postponed':
      sayError('the cloud has asked for quiet (Retry-After): the report goes out when that is over');
      return exitCode.cloud;
    case 'superseded':
      say('a newer report took its place');
      return adbFailure === undefined ? exitCode.ok : exitCode.adb;
  }
}
