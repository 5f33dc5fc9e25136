import { describe, expect, it } from 'vitest';
import { configuredDomains } from './configured-domains.ts';
import { appOriginFrom, configuredOrigins } from './configured-origins.ts';

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

  it.each([
    ['https://hop.example/abc', ''],
    ['https://go.acme.example/abc', GOOD],
    ['http://localhost:8787/abc', ''],
    ['http://127.0.0.1:8787/abc', ''],
  ])('pages of %s name the application’s origin as "%s"', (url, origin) => {
    expect(appOriginFrom({ APP_ORIGIN: GOOD, SHORT_ORIGIN: '' }, url)).toBe(origin);
    expect(appOriginFrom({ APP_ORIGIN: GOOD, SHORT_ORIGIN: 'https://s.example' }, url)).toBe(GOOD);
    expect(appOriginFrom({ APP_ORIGIN: '', SHORT_ORIGIN: '' }, url)).toBe('');
  });

  it('reads each variable again when it changes', () => {
    const hostsOf = (APP_ORIGIN: string, SHORT_ORIGIN: string, EXTRA_HOSTS: string): string[] => [
      ...configuredOrigins({ APP_ORIGIN, SHORT_ORIGIN, EXTRA_HOSTS }).hosts,
    ];
    expect(hostsOf(GOOD, '', '')).toEqual(['hop.example']);
    expect(hostsOf('hop.example', '', '')).toEqual(['hop.example']);
    expect(hostsOf(GOOD, '', 'a.example')).toEqual(['hop.example', 'a.example']);
    expect(hostsOf(GOOD, 'https://s.example', 'a.example')).toContain('s.example');
    expect(hostsOf('https://new.example', 'https://s.example', 'a.example')).toContain(
      'new.example',
    );
  });
});

describe('configuredDomains', () => {
  it('shared hosts are the short hosts that serve nothing else, for these origins', () => {
    const sharedOf = (APP_ORIGIN: string): string[] => [
      ...configuredDomains({
        APP_ORIGIN,
        SHORT_ORIGIN: '',
        SHORT_HOSTS: 'hop.example, a.example localhost',
      }).shared,
    ];
    expect(sharedOf(GOOD)).toEqual(['a.example']);
    expect(sharedOf('https://a.example')).toEqual(['hop.example']);
    expect(sharedOf('')).toEqual([]);
  });
});
