/**
 * Marks texts of other people as data. Visitors choose referrers and UTM parameters, and anybody
 * with a key chooses titles and targets. Such a text can contain instructions to the assistant,
 * which also has tools that write.
 */

/** The member of a result that contains the texts of others. */
export const UNTRUSTED = 'untrusted';

/**
 * Members that Hop writes itself, and the lists and objects that contain them. Their values are
 * times and words from fixed lists.
 */
export const OWN: ReadonlySet<string> = new Set(
  [
    'data totals series topLinks previousPeriod results failures link quota limits period',
    'id linkId code earlierCodes shortUrl status plan importedClicks clickLimit',
    'createdAt updatedAt expiresAt generatedAt countedAt resetsAt start end from to range interval',
    'nextCursor previousCursor action color groupBy shortenedBy verdict suffixedCode losses',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Moves the texts of others into one member of each object. Every member that is not listed as
 * Hop's own is treated as theirs, so a new member of the API is marked until it is listed here.
 */
export function markUntrusted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markUntrusted);
  if (typeof value !== 'object' || value === null) return value;
  const own: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    if (OWN.has(name)) own[name] = markUntrusted(member);
    else (isFigure(member) ? own : others)[name] = member;
  return Object.keys(others).length === 0 ? own : { ...own, [UNTRUSTED]: others };
}

const isFigure = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean';
