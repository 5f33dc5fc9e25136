/** Removes percent-encoding from `text`. Returns `fallback` if it is invalid. */
export function decodeUri(text: string, fallback: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fallback;
  }
}
