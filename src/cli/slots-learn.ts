/** `hostnode slots learn`: makes the list of slots while a person plugs a phone into bay after bay. */
import { createInterface, type Interface } from 'node:readline';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { standardTiming } from '../agent/options.ts';
import { DeviceTracker } from '../agent/tracker.ts';
import { AdbUnavailableError } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { OutageLog } from '../base/outage-log.ts';
import { escaped } from '../base/printable.ts';
import { quantity } from '../base/words.ts';
import { listYaml } from '../config/lists.ts';
import { createAdb } from '../daemon/host-parts.ts';
import { topologyBehind } from '../host/usb-buses.ts';
import { plainPath } from '../roster/slot-name.ts';
import { connectionOf } from '../roster/udid.ts';
import { type ConfigOption, loadOrExplain } from './configuration.ts';
import { mayWrite, writeOrPrint } from './output-files.ts';
import { Lesson } from './slots-lesson.ts';
import { fail, write } from './terminal.ts';
import { adbTroubleLines } from './trouble.ts';

export interface SlotsLearnOptions extends ConfigOption {
  /** The file to write; absent: stdout. */
  output?: string;
  force?: boolean;
}

const INTRODUCTION = `Name the bays of the phones that are plugged in, or plug one phone into bay after bay.
Enter accepts the name in [brackets], - skips the port, done or Ctrl-C ends.`;

export async function slotsLearn(options: SlotsLearnOptions): Promise<void> {
  const loaded = await loadOrExplain(options, { phonesOnly: true });
  if (loaded === undefined) return;
  const { output, force = false } = options;
  if (output !== undefined && !mayWrite(output, force)) return;
  const { config } = loaded;
  const adb = createAdb(config);
  let listed: readonly ListedDevice[];
  try {
    listed = await adb.listDevices();
  } catch (error) {
    if (!(error instanceof AdbUnavailableError)) throw error;
    return fail(exitCode.adb, ...(await adbTroubleLines(error, config)));
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const lesson = new Lesson({
    slots: config.slots.map(({ name, paths }) => ({ name, paths: paths.map(plainPath) })),
    topology: topologyBehind(config.adb.host),
    say,
    ask(question) {
      if (!process.stdin.isTTY) return write(process.stderr, escaped(question)); // a pipe may have closed
      lines.setPrompt(escaped(question));
      lines.prompt();
    },
  });
  say(INTRODUCTION);
  lesson.offer([...portsOf(listed).values()]);
  await teach(lesson, lines, adb, listed);
  await printSlots(lesson, options);
}

const say = (line: string) => write(process.stderr, escaped(`${line}\n`));

/** Runs until the person ends it; never throws. */
async function teach(
  lesson: Lesson,
  lines: Interface,
  adb: Adb,
  listed: readonly ListedDevice[],
): Promise<void> {
  const ended = new AbortController();
  const answer = listen(lesson, lines, () => ended.abort());
  let before = portsOf(listed);
  const outage = new OutageLog();
  await new DeviceTracker(adb, standardTiming).run(ended.signal, {
    onListing(devices) {
      if (outage.end()) say('The adb server answers again.');
      const ports = portsOf(devices);
      for (const [port, device] of ports) if (!before.has(port)) lesson.plugged(device);
      before = ports;
      answer();
    },
    onLost(error) {
      const { message } = error as Error;
      if (outage.begin(message)) say(`${message}. Waiting for it.`);
    },
  });
  lines.close();
}

/** Phones on USB by their ports; one without a port by its serial. */
const portsOf = (devices: readonly ListedDevice[]): Map<string, ListedDevice> =>
  new Map(
    devices
      .filter((device) => connectionOf(device) === 'usb')
      .map((device) => [device.devpath ?? device.serial, device]),
  );

/**
 * Reads what the person types. Keeps early lines from a pipe; drops early lines from a terminal, where they are
 * slips.
 *
 * @returns a function that passes typed lines to the lesson as it asks for them
 */
function listen(lesson: Lesson, lines: Interface, end: () => void): () => void {
  const typed: string[] = [];
  let isClosed = false;
  const answer = () => {
    for (let [line] = typed; line !== undefined; [line] = typed) {
      if (!lesson.isAsking && line.trim() !== 'done') break;
      typed.shift();
      if (!lesson.answered(line)) return end();
    }
    if (isClosed && typed.length === 0) end();
  };
  lines.on('line', (line) => {
    if (process.stdin.isTTY && !lesson.isAsking && line.trim() !== 'done') return;
    typed.push(line);
    answer();
  });
  lines.once('close', () => {
    isClosed = true;
    answer();
  });
  lines.once('SIGINT', end); // readline in a terminal raises no signal of the process
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  process.on('SIGHUP', end); // a closing terminal may send it several times
  return answer;
}

/** Writes the list; prints it if it cannot write the file. */
async function printSlots(lesson: Lesson, { output, force = false }: SlotsLearnOptions): Promise<void> {
  const { slots, named } = lesson;
  if (lesson.isAsking) say('');
  if (named === 0) return say('No bay was named.');
  const text = await listYaml({ slots });
  if (output === undefined) return write(process.stdout, text);
  if (await writeOrPrint(output, text, force))
    say(`${output} has ${quantity(slots.length, 'slot')}: copy the list into the configuration file.`);
}
