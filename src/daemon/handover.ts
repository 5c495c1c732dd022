/** What one agent leaves to the next at a reload: the disk may not have stored it. */
import type { Agent } from '../agent/agent.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Config } from '../config/load.ts';
import type { Checkpoint } from '../diagnosis/events/checkpoint.ts';
import type { Identity } from '../host/identity.ts';
import type { Unread } from '../host/json-file.ts';
import type { RosterRecord } from '../roster/device.ts';
import { cloudFingerprint } from './cloud-fingerprint.ts';
import { openIdentity, openRoster } from './opening.ts';

/** The phones of the agent before, else those of the disk. */
interface KnownPhones {
  record?: RosterRecord;
  /** The file that cannot be read yet. */
  unread?: Unread<RosterRecord>;
}

export class Handover {
  readonly #log: Logger;
  #identity: { stateDir: string; identity: Identity } | undefined;
  #left:
    | { stateDir: string; record: RosterRecord; checkpoint: Checkpoint; unread?: Unread<RosterRecord> }
    | undefined;
  /** Of the agent in force. */
  #unread: Unread<RosterRecord> | undefined;
  #cloud: { key?: string; storedAt?: number } | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** What the agent before has recorded last of phones and host; undefined for the first one. */
  get checkpoint(): Checkpoint | undefined {
    return this.#left?.checkpoint;
  }

  /** @throws the errors of `openIdentity` */
  async identity(config: Config): Promise<Identity> {
    const identity = await openIdentity(config, this.#log, this.#identity);
    this.#identity = { stateDir: config.state.dir, identity };
    return identity;
  }

  async phones({ state, roster }: Config): Promise<KnownPhones> {
    const left = this.#left;
    const { record, unread } =
      left?.stateDir === state.dir
        ? left
        : await openRoster(state.dir, this.#log, left?.record, roster.maxPhones);
    this.#unread = unread;
    return omitUndefined({ record, unread });
  }

  /** When this cloud last stored a report of this host; of another cloud or host nothing is known. */
  storedAt(config: Config, nodeId: string): number | undefined {
    const key = cloudFingerprint(config, nodeId);
    if (this.#cloud?.key !== key) this.#cloud = omitUndefined({ key });
    return this.#cloud?.storedAt;
  }

  /** Takes over from an agent that has stopped. */
  take({ record, checkpoint, storedAt }: Agent, { state }: Config): void {
    this.#cloud = omitUndefined({ key: this.#cloud?.key, storedAt });
    this.#left = omitUndefined({ stateDir: state.dir, record, checkpoint, unread: this.#unread });
  }
}
