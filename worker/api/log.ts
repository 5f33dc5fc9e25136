/** One JSON line per event. Callers pass no address, no token and no query string. */
export function logEvent(event: string, facts: Record<string, string | number | boolean | null> = {}): void {
  console.log(JSON.stringify({ event, ...facts }));
}
