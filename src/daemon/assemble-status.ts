/** Builds what serves the status, and answers and carries out what a person asks, with the agent in force. */
import type { ActiveAgent } from '../agent/active-agent.ts';
import type { Agent } from '../agent/agent.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/load.ts';
import type { Diagnosis } from '../diagnosis/index.ts';
import { AgentCommands } from '../status/agent-commands.ts';
import { Explainer } from '../status/explainer.ts';
import type { MaintenancePlan } from '../status/maintenance.ts';
import type { Metrics } from '../status/metrics/metrics.ts';
import { KeptPast } from '../status/phone-past.ts';
import type { PhonePast } from '../status/source.ts';
import type { StatusModel } from '../status/status-model.ts';
import { StatusSide } from '../status/status-side.ts';

interface StatusParts {
  active: ActiveAgent<Agent>;
  diagnosis: Diagnosis;
  statusModel: StatusModel;
  past: PhonePast;
  /** Of the configuration in force. */
  config(): Config;
  /** Undefined before the first agent. */
  maintenance(): MaintenancePlan | undefined;
  onMetrics(metrics: Metrics): void;
  log: Logger;
}

/** The past of the phones that the agent in force follows. */
export const assemblePast = (active: ActiveAgent<Agent>, diagnosis: Diagnosis): PhonePast =>
  new KeptPast({
    history: diagnosis.history,
    isKnown: (udid) => active.agent?.whereOf(udid) !== undefined,
  });

export function assembleStatusSide(parts: StatusParts): StatusSide {
  const { active, diagnosis, statusModel, past, config, maintenance, onMetrics, log } = parts;
  const inForce = () => {
    const [{ agent }, plan, { history }] = [active, maintenance(), diagnosis];
    const slots = config().slots.map(({ name }) => name);
    return agent && plan && { agent, maintenance: plan, slots, history };
  };
  const explainer = new Explainer({
    status: () => statusModel.status(),
    view: () => active.agent?.view,
    timeline: (query) => diagnosis.explain(query),
  });
  const commands = new AgentCommands(inForce, () => statusModel.changed());
  return new StatusSide({ env: process.env, statusModel, commands, explainer, past, onMetrics, log });
}
