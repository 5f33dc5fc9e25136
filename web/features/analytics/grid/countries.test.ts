import { describe, expect, it } from 'vitest';
import { countryName, flagEmoji } from './countries.ts';

describe('countries', () => {
  it('have a flag emoji if their code has two letters', () => {
    expect(flagEmoji('IN')).toBe('🇮🇳');
    expect(flagEmoji('AZ')).toBe('🇦🇿');
    for (const code of ['Unknown', 'T1', 'in', '']) expect(flagEmoji(code)).toBe('');
  });

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
