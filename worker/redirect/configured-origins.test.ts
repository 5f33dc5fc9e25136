import { describe, expect, it } from 'vitest';
import { configuredOrigins } from './configured-origins.ts';

const GOOD = 'https://hop.example';

describe('configuredOrigins', () => {
  it.each([
    ['APP_ORIGIN', { APP_ORIGIN: `${GOOD}/path`, SHORT_ORIGIN: '' }],
    ['SHORT_ORIGIN', { APP_ORIGIN: GOOD, SHORT_ORIGIN: `${GOOD}/path` }],
  ])('names an invalid %s and still serves its host', (name, settings) => {
    const { fault, hosts } = configuredOrigins(settings);
    expect(fault).toContain(`${name} is "${GOOD}/path"`);
    expect([...hosts]).toEqual(['hop.example']);
  });

  it('reads each variable again when it changes', () => {
    const hostsOf = (APP_ORIGIN: string, SHORT_ORIGIN: string, EXTRA_HOSTS: string): string[] => [
      ...configuredOrigins({ APP_ORIGIN, SHORT_ORIGIN, EXTRA_HOSTS }).hosts,
    ];
    expect(hostsOf(GOOD, '', '')).toEqual(['hop.example']);
    expect(hostsOf(GOOD, '', 'a.example')).toEqual(['hop.example', 'a.example']);
    expect(hostsOf(GOOD, 'https://s.example', 'a.example')).toContain('s.example');
    expect(hostsOf('https://new.example', 'https://s.example', 'a.example')).toContain(
      'new.example',
    );
  });
});
