import { describe, expect, it } from 'vitest';
import { isShortener, shortenerHosts } from './shorteners.ts';

describe('shortenerHosts', () => {
  it('adds and removes hosts in any case, separated by commas or spaces', () => {
    const hosts = shortenerHosts(' Corp-Links.example,-BIT.LY\tgo.example ');
    expect(
      ['corp-links.example', 'go.example', 'is.gd', 'bit.ly', ''].map((h) => hosts.has(h)),
    ).toEqual([true, true, true, false, false]);
  });

  it.each([
    ['is.gd', true],
    ['www.is.gd', true],
    ['notis.gd', false],
    ['gd', false],
    ['app.goo.gl', false],
    ['maps.app.goo.gl', false],
    ['goo.gl', true],
    ['notapp.goo.gl', true],
  ])('the host %s is a shortener: %s', (host, expected) => {
    expect(isShortener(host, shortenerHosts(''))).toBe(expected);
  });
});
