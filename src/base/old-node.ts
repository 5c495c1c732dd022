/** For each major version, the first minor one that supports `proxyEnv` for HTTPS. */
const OLDEST: Readonly<Record<number, number>> = { 22: 21, 24: 5 };

/** What to say to a Node that is too old; undefined for one that is not, and where there is no Node. */
export function oldNode(): string | undefined {
  const { version, versions, execPath } = process;
  const [major = 0, minor = 0] = versions.node.split('.').map(Number);
  const isOther = versions.bun !== undefined || versions.deno !== undefined;
  if (isOther || major >= 25 || minor >= (OLDEST[major] ?? Number.POSITIVE_INFINITY)) return undefined;
  return `hostnode needs Node 22.21, 24.5 or newer, and this is ${version} (${execPath})`;
}
