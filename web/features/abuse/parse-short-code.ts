/** The code in what somebody pasted: a short link with or without scheme, a preview's address, or the code alone. */
export function parseShortCode(text: string): string {
  const trimmed = text.trim();
  const path = trimmed.replace(/^https?:\/\//i, '');
  const slash = path.indexOf('/');
  const tail = slash === -1 ? path : path.slice(slash + 1);
  return tail.replace(/[?#].*$/, '').replace(/\+?\/?$/, '');
}
