/** The commands that have bundles of their own, `dist/<command>.cjs`: none parses what another one needs. */
export const ownBundles: readonly string[] = ['cloud', 'demo', 'inventory', 'run', 'sandbox'];
