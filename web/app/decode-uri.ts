/** `text` without its percent-encoding; `fallback` if that is invalid. */
export function decodeUri(text: string, fallback: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fallback;
  }
}
