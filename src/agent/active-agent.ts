/** Some agent, as far as its being alive matters. */
export interface Progressing {
  readonly isProgressing: boolean;
}

/** Between two agents, at the start and in a reload, there is none for so long at most, ms; longer is a daemon that hangs. */
export const WITHOUT_AGENT_MS = 60_000;

/** The agent in force: none at the start, in a reload and at the end. */
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
