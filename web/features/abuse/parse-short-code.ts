/**
 * Returns the short code in pasted text: a short link with or without its scheme, the address of a
 * preview, or only the code.
 */
export function parseShortCode(text: string): string {
  const trimmed = text.trim();
  const path = trimmed.replace(/^https?:\/\//i, '');
  const slash = path.indexOf('/');
  const tail = slash === -1 ? path : path.slice(slash + 1);
  return tail.replace(/[?#].*$/, '').replace(/\+?\/?$/, '');
}
