/**
 * What a phone's Android can do, from its API level alone.
 *
 * Source: AOSP system/core shell_and_utilities/README.md (tools), adb/adb.h (maxdata), adb/services.cpp and
 * adb/shell_service.cpp (services), each at the tag of the release.
 */
export interface AndroidRelease {
  sdk: number;
  /** Version word of the transport protocol. */
  protocolVersion: number;
  /** The largest payload that adbd takes, bytes. One longer aborts the adb server. */
  maxdata: number;
  /** adbd serves `exec:`. */
  hasExec: boolean;
  /** adbd serves `shell,v2,raw:`. */
  hasShellV2: boolean;
  /** `shell:` runs in a pty. */
  hasPty: boolean;
  /** adbd's children are born with SIGPIPE ignored. */
  ignoresSigpipe: boolean;
  /** `nc` stands among the commands; before, only `toybox nc` does. */
  hasNc: boolean;
  /** `toybox` as a command. */
  hasToybox: boolean;
  /** `dumpsys -t SECONDS`. */
  hasDumpsysTimeout: boolean;
  features: string[];
  /** Tools of the system that do real work here, by toybox. */
  tools: string[];
}

const toolbox =
  'cat chmod chown cmp date du grep kill ln ls mkdir mv nice ps renice rm rmdir sleep sync top uptime'.split(
    ' ',
  );

const toybox = (
  '[ basename cksum cp cut dirname echo egrep env expand false fgrep find head hostname id md5sum mkfifo ' +
  'mktemp nl nohup od paste pgrep pidof printenv printf pwd readlink realpath rev sed seq setsid sha1sum sort ' +
  'split stat strings tac tail tee test time timeout touch tr true truncate tty uname uniq usleep wc which ' +
  'whoami xargs xxd yes'
).split(' ');

export function androidRelease(sdk: number): AndroidRelease {
  const hasShellV2 = sdk >= 24;
  return {
    sdk,
    protocolVersion: sdk >= 28 ? 0x01000001 : 0x01000000,
    maxdata: sdk >= 28 ? 1024 * 1024 : sdk >= 24 ? 256 * 1024 : 4096,
    hasExec: sdk >= 21,
    hasShellV2,
    hasPty: sdk < 24,
    ignoresSigpipe: sdk < 26,
    hasNc: sdk >= 29,
    hasToybox: sdk >= 23,
    hasDumpsysTimeout: sdk >= 24,
    features: hasShellV2 ? ['cmd', 'stat_v2', 'shell_v2'] : [],
    tools: sdk >= 23 ? [...toolbox, ...toybox] : toolbox,
  };
}
