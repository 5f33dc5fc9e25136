import { POST_SLUG_MAX } from './limits.ts';

const WORDS_PER_MINUTE = 200;

/** Lower-case letters and digits, with single hyphens between them. */
export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const isSlug = (text: string): boolean =>
  text.length <= POST_SLUG_MAX && SLUG_PATTERN.test(text);

/**
 * The whole words in the first `length` characters (code points), on one line. An ellipsis replaces
 * the rest and the punctuation before it. A text without a space in its second half is cut inside a
 * word.
 */
export function excerptOf(content: string, length: number): string {
  const characters = Array.from(content.replace(/\s+/gu, ' ').trim());
  if (characters.length <= length) return characters.join('');
  const end = characters.lastIndexOf(' ', length);
  const words = characters.slice(0, end > length / 2 ? end : length).join('');
  return `${words.replace(/[\s,;:.–—-]+$/u, '')}…`;
}

/** Reading time at 200 words a minute, rounded up; at least one minute. */
export function readingMinutes(content: string): number {
  const words = content.split(/\s+/u).filter((word) => word !== '').length;
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/** The slug suggested for a title: 'Hello, World!' → 'hello-world'. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, POST_SLUG_MAX)
    .replace(/-+$/, '');
}
