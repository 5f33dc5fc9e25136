/**
 * Returns the link in Home's address: `?url=` from the bookmarklet, or `?url=` and `?text=` from
 * the share menu of an installed app, which often puts the link into the text. '' if there is none.
 */
export function givenLink(search: string): string {
  const query = new URLSearchParams(search);
  const inText = /https?:\/\/\S+/i.exec(query.get('text') ?? '')?.[0] ?? '';
  return (query.get('url') ?? '').trim() || inText;
}
