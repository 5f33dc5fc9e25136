import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

describe('nearestName', () => {
  it.each([
    ['created_at', ['created', 'createdAt'], 'createdAt'],
    ['notes', ['no', 'votes'], 'votes'],
    ['notes', ['no', 'vote'], 'no'],
    ['tagNames', ['title', 'tag'], 'tag'],
    ['abcd', ['abxyzz'], null],
    ['abcdyy', ['abcdxx'], 'abcdxx'],
    ['abcyyy', ['abcxxx'], null],
    ['__', ['a'], null],
  ] as const)('%s among %j means %s', (given, known, meant) => {
    expect(nearestName(given, known)).toBe(meant);
    expect(nearestName(given, known.toReversed())).toBe(meant);
  });
});
