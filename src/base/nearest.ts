/** The number of single-letter insertions, removals and replacements between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (b[column - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/**
 * The known name that was probably meant, ignoring case; undefined if none is close. Also close: the only name that
 * starts with it (`cloud.user` for `cloud.username`), and a name with the same last part (`baseUrl` for `cloud.baseUrl`).
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase();
  const [longer, ...others] = new Set(
    known.filter((candidate) => candidate.toLowerCase().startsWith(wanted)),
  );
  if (others.length === 0 && longer !== undefined) return longer;
  const ranked = known
    .map((candidate) => ({ candidate, away: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  if (best !== undefined && best.away <= Math.max(2, Math.floor(wanted.length / 5))) return best.candidate;
  return ranked.find(({ candidate }) => lastPart(candidate.toLowerCase()) === lastPart(wanted))?.candidate;
}
