/** A guest with hostnode on it, and what its operator types. */
import { rm } from 'node:fs/promises';
import { Guest } from './guest.ts';
import { LAB } from './sources.ts';

export const wrong = 'report: { schedule: sometimes }\nlog: { level: loud }\n';
const toCloud = 'cloud: { baseUrl: "http://127.0.0.1:8080/v1", username: lab }\n';
export const everySecond = `${toCloud}report: { schedule: "* * * * * *" }\n`;

type Shown = Record<string, string>;

export class Host {
  readonly guest: Guest;
  readonly #sources: string;

  private constructor(guest: Guest, sources: string) {
    this.guest = guest;
    this.#sources = sources;
  }

  /**
   * @param sources a folder that the guest sees as /src; it is removed at the end
   * @param release of Debian; without it, that of this machine
   */
  static async boot(sources: string, release?: string): Promise<Host> {
    return new Host(await Guest.boot(sources, release), sources);
  }

  async end(): Promise<void> {
    await this.guest.end();
    await rm(this.#sources, { recursive: true, force: true });
  }

  configure(text: string): Promise<string> {
    return this.guest.do(`cat > /etc/hostnode/hostnode.yaml <<'END'\n${text}END`);
  }

  storeKey(key: string): Promise<string> {
    const file = '/etc/credstore/hostnode.cloud-api-key';
    return this.guest.do(
      `install -d -m 700 /etc/credstore && install -m 600 /dev/stdin ${file} <<'END'\n${key}\nEND`,
    );
  }

  /** Starts a part of support/lab-program.ts as the unit of its name. */
  startLab(part: string, ...args: string[]): Promise<string> {
    // /tmp has no device nodes, which a phone of the rig makes
    const run = `systemd-run -q --unit=${part} -E TMPDIR=/var/tmp /src/node /src/${LAB}`;
    return this.guest.do([run, part, ...args].join(' '));
  }

  /** What a part of the lab has printed. */
  async printed(part: string): Promise<string[]> {
    const text = await this.guest.do(`journalctl --no-pager -q -o cat _SYSTEMD_UNIT=${part}.service`);
    return text.split('\n').slice(0, -1);
  }

  /** Waits until the status line of the agent is like this. */
  status(pattern: RegExp, limitMs?: number): Promise<Shown> {
    return this.guest.until('hostnode', ({ StatusText = '' }) => pattern.test(StatusText), limitMs);
  }

  async mainPid(unit: string): Promise<string> {
    return (await this.guest.show(unit)).MainPID ?? '';
  }

  /** Waits until another process than `pid` is the unit's. */
  replaced(unit: string, pid: string, limitMs?: number): Promise<Shown> {
    return this.guest.until(
      unit,
      ({ MainPID, ActiveState }) => MainPID !== pid && ActiveState === 'active',
      limitMs,
    );
  }

  /** Settings of a unit for the time of the test; the unit is restarted. */
  async dropIn(unit: string, text: string): Promise<void> {
    const folder = `/run/systemd/system/${unit}.service.d`;
    await this.guest.do(`set -e
      mkdir -p ${folder}
      cat > ${folder}/test.conf <<'END'\n${text}\nEND
      systemctl daemon-reload
      systemctl restart ${unit}`);
  }
}
