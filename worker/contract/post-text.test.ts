import { expect, test } from 'vitest';
import { excerptOf, readingMinutes } from './post-text.ts';

test('an excerpt is one line, cut by code points, with an ellipsis only where something is missing', () => {
  expect(excerptOf('One\n\ntwo\tthree ', 200)).toBe('One two three');
  expect(excerptOf('a'.repeat(200), 200)).toBe('a'.repeat(200));
  expect(excerptOf('a'.repeat(201), 200)).toBe(`${'a'.repeat(200)}…`);
  expect(excerptOf('🐸🐸🐸', 2)).toBe('🐸🐸…');
  expect(excerptOf('word word', 5)).toBe('word…');
});

test('reading time is words divided by 200, rounded up', () => {
  expect(readingMinutes('word '.repeat(200))).toBe(1);
  expect(readingMinutes('word\n'.repeat(201))).toBe(2);
  expect(readingMinutes(' ')).toBe(1);
});
