import { splitKey } from '#contract/codes/domain-key.ts';

/**
 * Links are found by words; a word of a search matches every word that starts with it. Endings of
 * codes and hosts are words, too, so that these are found by their middle. Words are rows of
 * `link_words`, because SQLite's full-text search needs virtual tables, with which D1
 * cannot be exported.
 */

/** How many words of a link are stored, so that a long note does not cost more rows. */
export const WORDS_PER_LINK = 40;
/** How many endings of words are stored besides. */
const ENDINGS_PER_LINK = 24;
/** In characters. A shorter ending would match too many links. */
const ENDING_MIN = 3;
/** In characters. Longer words are cut, in links and in searches alike. */
const WORD_MAX = 24;
const WORDS_PER_SEARCH = 5;

/** Words in nearly every target. */
const IGNORED: ReadonlySet<string> = new Set(['http', 'https', 'www']);

/** In scripts that are written without spaces, each character is a word. */
const CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`;
const WORD = new RegExp(String.raw`${CHARACTER}|[\p{L}\p{N}]+`, 'gu');
const SPACELESS = new RegExp(`(${CHARACTER})`, 'gu');
const ACCENT = new RegExp(String.raw`\p{M}`, 'gu');

/** Returns the distinct words of a text, without case and accents. */
export function toWords(text: string): string[] {
  const plain = text.normalize('NFKD').replace(ACCENT, '').toLowerCase().replace(SPACELESS, ' $1 ');
  const words = plain.match(WORD) ?? [];
  return [...new Set(words.map((word) => word.slice(0, WORD_MAX)))].filter(
    (word) => !IGNORED.has(word),
  );
}

/** Returns the words of a search; null for text without any, which no link matches. */
export function toSearchWords(text: string): string[] | null {
  const words = toWords(text).slice(0, WORDS_PER_SEARCH);
  return words.length === 0 ? null : words;
}

/**
 * Returns the words of a link, the most useful ones first, because only WORDS_PER_LINK are kept.
 */
export function wordsOfLink({
  code: key,
  earlierCodes: keys = [],
  ...link
}: {
  code: string;
  earlierCodes?: readonly string[];
  title: string;
  target: string;
  targetHost: string;
  note: string;
}): string[] {
  // The target is a URL as the parser writes it (safety/target.ts).
  const [, path = ''] = /^[a-z]+:\/\/[^/?#]*(.*)$/s.exec(link.target) ?? [];
  const [code, ...earlierCodes] = [key, ...keys].map((each) => splitKey(each).code);
  const words = [
    code ?? '',
    link.title,
    link.targetHost,
    ...earlierCodes,
    link.note,
    decode(path),
  ].flatMap(toWords);
  const kept = [...new Set(words)].slice(0, WORDS_PER_LINK);
  const endings = [code ?? '', link.targetHost, ...earlierCodes]
    .flatMap(toWords)
    .flatMap(endingsOf)
    .slice(0, ENDINGS_PER_LINK);
  return [...new Set([...kept, ...endings])];
}

/** 'spring' → ['pring', 'ring', 'ing'] */
const endingsOf = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - ENDING_MIN) }, (_, start) =>
    word.slice(start + 1),
  );

/** Returns the value of `links.words`: each word after a space. */
export const textOfWords = (words: readonly string[]): string =>
  words.map((word) => ` ${word}`).join('');

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
