/**
 * Node's own promises for adbkit, which asks for bluebird (130 kB). The two files of adbkit that we bundle construct,
 * chain, resolve and reject; they name a cancellation that nobody asks for.
 */
module.exports = class extends Promise {
  static config() {}

  constructor(run) {
    super((resolve, reject) => run(resolve, reject, () => {}));
  }
};
