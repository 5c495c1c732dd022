/** Environment variables: `process.env`, or a replacement in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;
