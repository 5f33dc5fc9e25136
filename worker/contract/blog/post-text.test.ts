import { describe, expect, it } from 'vitest';
import { POST_SLUG_MAX } from '#contract/limits.ts';
import { excerptOf, isSlug, minutesOf, slugOf } from './post-text.ts';

describe('excerptOf', () => {
  it('returns one line, cut by code points, with an ellipsis only if text is missing', () => {
    expect(excerptOf('One\n\ntwo\tthree ', 200)).toBe('One two three');
    expect(excerptOf('a'.repeat(200), 200)).toBe('a'.repeat(200));
    expect(excerptOf('a'.repeat(201), 200)).toBe(`${'a'.repeat(200)}…`);
    expect(excerptOf('🐸🐸🐸', 2)).toBe('🐸🐸…');
    expect(excerptOf('word word', 5)).toBe('word…');
  });

  it('an excerpt ends after a whole word, unless that leaves out more than half', () => {
    expect(excerptOf('one two three', 7)).toBe('one two…');
    expect(excerptOf('one two three', 9)).toBe('one two…');
    expect(excerptOf('one, two, three', 10)).toBe('one, two…');
    expect(excerptOf(`one ${'long'.repeat(5)}`, 12)).toBe('one longlong…');
  });
});

describe('excerptOf with sentences', () => {
  it('ends after a whole sentence, unless that leaves out more than half', () => {
    expect(excerptOf('One two. Three four five.', 17)).toBe('One two. Three…');
    expect(excerptOf('One two. Three four five.', 14)).toBe('One two. …');
    expect(excerptOf('“One two?” (Three.) And four', 20)).toBe('“One two?” (Three.) …');
    expect(excerptOf('Version 1.2.3 is out today', 15)).toBe('Version 1.2.3…');
  });
});

describe('minutesOf', () => {
  it('divides the number of words by 200 and rounds up', () => {
    expect(minutesOf('word '.repeat(200))).toBe(1);
    expect(minutesOf('word\n'.repeat(201))).toBe(2);
    expect(minutesOf(' ')).toBe(1);
  });
});

describe('isSlug', () => {
  it('accepts lower-case letters, digits and single hyphens up to the maximum length', () => {
    for (const slug of ['a', 'hello-world-2', 'a'.repeat(POST_SLUG_MAX)])
      expect(isSlug(slug), slug).toBe(true);
    for (const slug of ['', 'A', 'a--b', '-a', 'a-', 'a b', 'ä', 'a'.repeat(POST_SLUG_MAX + 1)])
      expect(isSlug(slug), slug).toBe(false);
  });
});

describe('slugOf', () => {
  it('makes a valid slug of a title, without a hyphen where it is cut', () => {
    expect(slugOf('Hello, World!')).toBe('hello-world');
    expect(slugOf('  ¡Olé! 2 ')).toBe('ol-2');
    expect(slugOf(`${'a'.repeat(POST_SLUG_MAX - 1)} b`)).toBe('a'.repeat(POST_SLUG_MAX - 1));
  });
});
