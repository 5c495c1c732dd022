/** adbkit's debug output, which nobody reads: its package looks at the terminal and the environment when it is loaded. */
module.exports = () => () => {};
