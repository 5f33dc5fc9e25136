import { describe, expect, it } from 'vitest';
import { countryName } from './country-name.ts';

describe('countryName', () => {
  it.each([
    ['IN', 'India'],
    ['', 'Unknown'],
    ['XX', 'Unknown'],
    ['Unknown', 'Unknown'],
    ['T1', 'Tor network'],
    ['odd', 'odd'],
  ])('%s is named %s', (code, name) => {
    expect(countryName(code)).toBe(name);
  });
});
