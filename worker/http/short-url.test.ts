import { describe, expect, it } from 'vitest';
import { shortUrlOf } from './short-url.ts';

const domains = new Map([['d.example999', 'go.acme.example']]);

describe('shortUrlOf', () => {
  it('returns the host of the key’s domain, with the scheme and port of the short host', () => {
    const origins = { short: 'http://localhost:8787', domains };
    expect(shortUrlOf(origins, 'abc')).toBe('http://localhost:8787/abc');
    expect(shortUrlOf(origins, 'd.example999/abc')).toBe('http://go.acme.example:8787/abc');
  });

  it('leads nowhere if the name of the domain is not known', () => {
    const origins = { short: 'https://hop.example', domains };
    expect(shortUrlOf(origins, 'd.otherother/a')).toBe('https://d.otherother.invalid/a');
  });
});
