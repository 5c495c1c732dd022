/** What the watchdog needs to know of an agent. */
export interface Progressing {
  readonly isProgressing: boolean;
}

/** Longest time without an agent, at the start and in a reload, before the daemon counts as hung, ms. */
const WITHOUT_AGENT_MS = 60_000;

/** The agent that runs now: none at the start, in a reload and at the end. */
export class ActiveAgent<A extends Progressing> {
  readonly #withoutAgentMs: number;
  #agent: A | undefined;
  /** By the monotonic clock, ms. */
  #withoutAgentSince = performance.now();

  constructor(withoutAgentMs = WITHOUT_AGENT_MS) {
    this.#withoutAgentMs = withoutAgentMs;
  }

  get agent(): A | undefined {
    return this.#agent;
  }

  set agent(agent: A | undefined) {
    this.#agent = agent;
    this.#withoutAgentSince = performance.now();
  }

  get isProgressing(): boolean {
    return this.#agent?.isProgressing ?? performance.now() - this.#withoutAgentSince < this.#withoutAgentMs;
  }
}
