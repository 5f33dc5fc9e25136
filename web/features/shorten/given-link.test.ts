import { describe, expect, it } from 'vitest';
import { givenLink } from './given-link.ts';

describe('givenLink', () => {
  it.each([
    ['?url=https%3A%2F%2Fexample.com%2F%3Fa%3D1', 'https://example.com/?a=1'],
    ['?title=News&text=Look+at+https%3A%2F%2Fexample.com%2Fx+today&url=', 'https://example.com/x'],
    ['?text=no+link', ''],
    ['?utm_source=x', ''],
    ['', ''],
  ])('%s → %s', (search, link) => expect(givenLink(search)).toBe(link));
});
