/** The variables of a process: `process.env`, or what stands in its place. */
export type Environment = Readonly<Record<string, string | undefined>>;
