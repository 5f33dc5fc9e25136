import { describe, expect, it } from 'vitest';
import { initialOf } from './link-parts.tsx';

describe('initialOf', () => {
  it('returns the first letter or digit of the host', () => {
    expect(initialOf('https://www.example.com/')).toBe('E');
    expect(initialOf('http://3.basecamp.com')).toBe('3');
    expect(initialOf('https://étoile.fr')).toBe('É');
  });
});
