import { describe, expect, it } from 'vitest';
import { givenLink } from './given-link.ts';

describe('givenLink', () => {
  it.each([
    ['?url=https%3A%2F%2Fexample.com%2F%3Fa%3D1', 'https://example.com/?a=1', ''],
    [
      '?title=News&text=Look+at+https%3A%2F%2Fexample.com%2Fx+today&url=',
      'https://example.com/x',
      'News',
    ],
    ['?text=Read+https%3A%2F%2Fexample.com%2Fx.', 'https://example.com/x', ''],
    ['?url=example.com&title=+Two%0Alines+', 'example.com', 'Two lines'],
    [`?url=example.com&title=${'a'.repeat(200)}`, 'example.com', 'a'.repeat(120)],
    [`?url=example.com&title=${'a'.repeat(119)}🐸`, 'example.com', 'a'.repeat(119)],
    ['?url=example.com&text=https%3A%2F%2Fother.example', 'example.com', ''],
    ['?text=%E2%80%9CHTTP%3A%2F%2Fexample.com%2Fx%E2%80%9D%3F!', 'HTTP://example.com/x', ''],
    ['?url=+example.com+', 'example.com', ''],
    ['?title=News&text=no+link', '', ''],
    ['?utm_source=x', '', ''],
    ['', '', ''],
  ])('%s → %s', (search, longUrl, title) => expect(givenLink(search)).toEqual({ longUrl, title }));
});
