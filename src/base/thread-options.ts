/**
 * A thread without our environment: that may contain the API key. Node's report of a crash would print the environment
 * of the process for each thread, unless the thread itself has this flag.
 */
export const withoutEnvironment = { env: {}, execArgv: ['--report-exclude-env'] };
