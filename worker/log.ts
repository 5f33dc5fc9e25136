/** One JSON line per event. Callers pass no address, no token and no query string. */
export function logEvent(event: string, facts: Record<string, string | number | boolean | null> = {}): void {
  console.log(JSON.stringify({ event, ...facts }));
}

/**
 * What a log may hold of an error: the innermost cause and its frames. The query layer wraps the database's errors in
 * one that quotes every bound value (addresses, hashes of tokens), which must not get into a log.
 */
export function errorFacts(error: Error): { error: string; where: string } {
  let root = error;
  while (root.cause instanceof Error) root = root.cause;
  const frames = (root.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { error: `${root.name}: ${root.message}`, where: frames.slice(0, 12).join('\n') };
}
