import { EXCERPT_MAX } from '#contract/limits.ts';
import { parsePost, plainText, proseText } from './post-blocks.ts';
import { excerptOf, minutesOf } from './post-text.ts';

/** The excerpt that the writer chose, or the beginning of the text. */
export const summaryOf = (
  { excerpt, content }: { excerpt: string; content: string },
  length = EXCERPT_MAX,
): string => (excerpt === '' ? excerptOf(proseText(parsePost(content)), length) : excerpt);

export const readingMinutes = (content: string): number => minutesOf(plainText(parsePost(content)));
