/**
 * Runs before each npm script that Node itself has to read as TypeScript: a Node that is too old for that would only name
 * the file. Plain JavaScript, for old ones too.
 */
const { engines } = require('../package.json');

const [major, minor] = process.versions.node.split('.').map(Number);

/** @param {string} range `^22.21.0` or `>=24.5.0` */
const isWithin = (range) => {
  const [oldestMajor, oldestMinor] = range.match(/\d+/g).map(Number);
  if (major === oldestMajor) return minor >= oldestMinor;
  return major > oldestMajor && !range.includes('^');
};

if (!engines.node.split('||').some(isWithin)) {
  const needed = engines.node.match(/\d+\.\d+/g).join(', ');
  process.stderr.write(
    `Run npm ci, which installs a Node on Linux, or install a newer one: hostnode needs Node ${needed} or newer, and this is ${process.version} (${process.execPath})\n`,
  );
  process.exit(1);
}
