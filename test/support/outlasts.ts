/**
 * Whether work takes longer than `ms`: a timer that is set before it runs before it is done. This is an order of two
 * events, which a slow machine keeps.
 */
export async function outlasts(ms: number, work: () => Promise<unknown>): Promise<boolean> {
  let hasRun = false;
  const timer = setTimeout(() => {
    hasRun = true;
  }, ms);
  await work();
  clearTimeout(timer);
  return hasRun;
}
