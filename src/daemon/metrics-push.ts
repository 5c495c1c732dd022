/** The push of the metrics that fits the configuration in force: a reload that changes nothing of it leaves it alone. */
import { hostname } from 'node:os';
import type { Environment } from '../base/environment.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/load.ts';
import { isSameOtlp, type OtlpConfig } from '../config/metrics.ts';
import type { MetricsView } from '../status/metrics/metrics.ts';
import type { OtlpPush } from '../status/metrics/otlp/push.ts';

interface Pushing {
  otlp: OtlpConfig;
  nodeId: string;
  push: OtlpPush;
}

export class MetricsPush {
  readonly #env: Environment;
  readonly #log: Logger;
  readonly #active: { readonly agent: unknown };
  #pushing: Pushing | undefined;

  /**
   * @param env names the proxy
   * @param active the agent in force, if there is one
   */
  constructor(env: Environment, active: { readonly agent: unknown }, log: Logger) {
    this.#env = env;
    this.#active = active;
    this.#log = log;
  }

  /** Pushes as this configuration says. @param metrics absent where none are kept: then it says that nothing is pushed */
  async use({ metrics: { otlp } }: Config, nodeId: string, metrics: MetricsView | undefined): Promise<void> {
    const before = this.#pushing;
    if (before && otlp && before.nodeId === nodeId && isSameOtlp(before.otlp, otlp)) return;
    this.#pushing = undefined;
    before?.push.stop();
    if (otlp === undefined || metrics === undefined) return;
    const { OtlpPush } = await import('../status/metrics/otlp/push.ts');
    const [env, log] = [this.#env, this.#log];
    const hasAgent = () => this.#active.agent !== undefined;
    const options = { config: otlp, nodeId, hostName: hostname(), metrics, hasAgent, env, log };
    const push = await OtlpPush.start(options);
    this.#pushing = { otlp, nodeId, push };
  }

  /** A last push, which takes two seconds at most. Never throws. */
  async end(): Promise<void> {
    await this.#pushing?.push.end();
  }
}
