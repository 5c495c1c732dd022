/**
 * adbd's three shell services: `shell:` (always; in a pty up to Android 6), `exec:` (since 5.0) and
 * `shell,v2,raw:` (since 7.0).
 *
 * Source: AOSP system/core adb/services.c at 5.0 and 6.0, adb/shell_service.cpp since 7.0.
 */
import type { Duplex, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { AndroidRelease } from './android-release.ts';
import type { AndroidShell, ShellProcess } from './android-shell.ts';
import { encodeFrame, framed, throughPty, unframedStdin } from './shell-framing.ts';

/** Runs the command of a service and joins it with the stream of its caller. */
export type Serve = (stream: Duplex, shell: AndroidShell) => void;

/** What serves the service of this name, if this Android has it. */
export function serviceFor(name: string, release: AndroidRelease): Serve | undefined {
  const [kind = '', command = ''] = splitOnce(name, ':');
  if (kind === 'shell') return (stream, shell) => serveShell(stream, shell.run(command), release.hasPty);
  if (kind === 'exec' && release.hasExec) return (stream, shell) => serveExec(stream, shell.run(command));
  if (kind === 'shell,v2,raw' && release.hasShellV2) {
    return (stream, shell) => serveV2(stream, shell.run(command, { separateStderr: true }));
  }
  return undefined;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A pty hangs up on the whole session of its shell when its other end closes. */
function serveShell(stream: Duplex, command: ShellProcess, hasPty: boolean): void {
  if (!hasPty) {
    serveExec(stream, command);
    return;
  }
  stream.once('close', () => command.signalGroup('SIGHUP'));
  connect(stream, command);
  command.stdout.pipe(throughPty()).pipe(stream);
}

/** Nobody tells the command that its caller is gone: it finds out when it writes, or never. */
function serveExec(stream: Duplex, command: ShellProcess): void {
  connect(stream, command);
  command.stdout.pipe(stream);
}

/** The shell at the top, and only that, is hung up on when the caller goes. */
function serveV2(stream: Duplex, command: ShellProcess): void {
  stream.once('close', () => command.signalShell('SIGHUP'));
  connect(stream, command, stream.pipe(unframedStdin()));
  const outputs = [command.stdout.pipe(framed('stdout')), command.stderr.pipe(framed('stderr'))];
  for (const output of outputs) output.pipe(stream, { end: false });
  // the exit code follows both outputs, so it waits for whatever child still holds them open
  Promise.all([command.ended, ...outputs.map((output) => finished(output))]).then(
    ([status]) => stream.end(encodeFrame('exit', Buffer.of(status))),
    () => stream.destroy(),
  );
}

/** Feeds the command from its caller, and closes all its pipes when the caller goes. */
function connect(stream: Duplex, command: ShellProcess, input: Readable = stream): void {
  const pipes = [command.stdin, command.stdout, command.stderr];
  for (const pipe of pipes) pipe.on('error', () => {}); // the other end may close at any time
  input.pipe(command.stdin);
  stream.once('close', () => {
    for (const pipe of pipes) pipe.destroy();
  });
}
