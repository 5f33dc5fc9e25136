/** Writes one JSON line per event. Callers never pass an address, a token or a query string. */
export function logEvent(
  event: string,
  facts: Record<string, string | number | boolean | null> = {},
): void {
  console.log(JSON.stringify({ event, ...facts }));
}

/**
 * Returns the part of an error that may be logged: the innermost cause and its frames. Drizzle
 * wraps a database error in one that quotes every bound value (addresses, token hashes), which must
 * not be logged.
 */
export function errorFacts(error: unknown): { error: string; where: string } {
  const frames = (rootOf(error).stack ?? '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '));
  return { error: errorText(error), where: frames.slice(0, 12).join('\n') };
}

/** The text of `errorFacts`, for places without room for frames. */
export function errorText(error: unknown): string {
  const { name, message } = rootOf(error);
  return `${name}: ${message}`;
}

function rootOf(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error));
  while (root.cause instanceof Error) root = root.cause;
  return root;
}
