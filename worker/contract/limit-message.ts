import { plural } from './language.ts';

/** ('The title', 200) → 'The title can have at most 200 characters.' */
export const limitMessage = (what: string, max: number, noun = 'character'): string =>
  `${what} can have at most ${plural(max, noun)}.`;
