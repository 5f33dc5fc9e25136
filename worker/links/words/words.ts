/**
 * Words by which links are found. A word of a search finds every word that starts with it. D1
 * cannot be exported with virtual tables, which SQLite's full-text search needs, so words are rows
 * of `link_words`.
 */

/** Words kept of one link, so that a long note does not cost more rows. */
export const WORDS_PER_LINK = 40;
/** In characters; the rest of a longer word is left out, in links and in searches alike. */
const WORD_MAX = 24;
/** Words of one search; the others are left out. */
const WORDS_PER_SEARCH = 5;

/** Parts of nearly every target. */
const IGNORED: ReadonlySet<string> = new Set(['http', 'https', 'www']);

/** Scripts that are written without spaces: each of their characters is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
const SPACELESS = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/gu;

/** The distinct words of a text, without case and accents. */
export function toWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(SPACELESS, ' $1 ');
  const words = plain.match(WORD) ?? [];
  return [...new Set(words.map((word) => word.slice(0, WORD_MAX)))].filter(
    (word) => !IGNORED.has(word),
  );
}

/** The words of a search; null for a text without any, which no link matches. */
export function toSearchWords(text: string): string[] | null {
  const words = toWords(text).slice(0, WORDS_PER_SEARCH);
  return words.length === 0 ? null : words;
}

/** The words of a link, the most telling ones first. */
export function wordsOfLink(link: {
  code: string;
  earlierCodes?: readonly string[];
  title: string;
  target: string;
  note: string;
}): string[] {
  const url = URL.parse(link.target);
  const host = url?.hostname ?? '';
  const path = url === null ? link.target : decode(`${url.pathname} ${url.search} ${url.hash}`);
  const words = [
    link.code,
    link.title,
    host,
    ...(link.earlierCodes ?? []),
    link.note,
    path,
  ].flatMap(toWords);
  return [...new Set(words)].slice(0, WORDS_PER_LINK);
}

/** Words as `links.words` has them. */
export const textOfWords = (words: readonly string[]): string =>
  words.map((word) => ` ${word}`).join('');

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
