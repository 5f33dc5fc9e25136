import { WORDS_PER_MINUTE } from './limits.ts';

/** The first `length` characters (code points) on one line, with an ellipsis where something was cut. */
export function excerptOf(content: string, length: number): string {
  const characters = Array.from(content.replace(/\s+/gu, ' ').trim());
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length).join('').trimEnd()}…`;
}

/** Words divided by 200, rounded up (spec §2); never less than a minute. */
export function readingMinutes(content: string): number {
  const words = content.split(/\s+/u).filter((word) => word !== '').length;
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
