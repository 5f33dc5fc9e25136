import { LINK_TITLE_MAX } from '#contract/limits.ts';

/** A link that came with Home's address. Both texts are empty if there is none. */
export type GivenLink = { longUrl: string; title: string };

/**
 * Returns the link in Home's address: `?url=` from the bookmarklet, or `?url=`, `?text=` and
 * `?title=` from the share menu of an installed app, which often puts the link into the text.
 */
export function givenLink(search: string): GivenLink {
  const query = new URLSearchParams(search);
  const read = (name: string) => (query.get(name) ?? '').trim();
  // The punctuation behind an address belongs to the sentence.
  const inText = /https?:\/\/\S*[^\s.,;:!?"'”’]/i.exec(read('text'))?.[0] ?? '';
  const longUrl = read('url') || inText;
  return {
    longUrl,
    // A character that the cut has halved is left out, because no title can contain it.
    title:
      longUrl &&
      read('title')
        .replaceAll(/\s+/g, ' ')
        .slice(0, LINK_TITLE_MAX)
        .replace(/\p{Cs}$/u, ''),
  };
}
