/** What a person calls a place: `hub 1-4`, `USB port 1-4.2`; a slot and a shelf by their own names. */
export function placeName({ kind, name }: { kind: string; name: string }): string {
  if (kind === 'hub') return `hub ${name}`;
  return kind === 'port' ? `USB port ${name}` : name;
}
