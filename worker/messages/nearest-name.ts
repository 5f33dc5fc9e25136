/**
 * Returns the known name that was probably meant: it is equal without case and separators, one
 * begins with the other, or at most a third of the characters differ. Null if there is none.
 * Example: `tags`, `tagNames` and `tga` for `tag`.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  const text = plain(given);
  if (text === '' || text.length > LENGTH_MAX) return null;
  const ranked = known
    .map((name) => ({ name, distance: distanceOf(text, plain(name)) }))
    .filter(({ distance }) => distance !== null)
    .sort((a, b) => Number(a.distance) - Number(b.distance));
  return ranked[0]?.name ?? null;
}

const LENGTH_MAX = 60;
/** Names that begin with each other rank behind those with one wrong character. */
const SAME_START = 1.5;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Null for names that have little in common. */
function distanceOf(a: string, b: string): number | null {
  const distance = editDistance(a, b);
  if (distance <= Math.max(1, Math.floor(b.length / 3))) return distance;
  const isStart = Math.min(a.length, b.length) > 1 && (a.startsWith(b) || b.startsWith(a));
  return isStart ? SAME_START : null;
}

/** The number of characters to insert, delete or replace (Levenshtein distance). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, character] of a.split('').entries()) {
    const next = [at + 1];
    for (const [other, wanted] of b.split('').entries())
      next.push(
        Math.min(
          (next[other] ?? 0) + 1,
          (row[other + 1] ?? 0) + 1,
          (row[other] ?? 0) + (character === wanted ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
