import { describe, expect, it } from 'vitest';
import { httpsOriginFor, isLoopback, originsOf } from './origins.ts';

const settings = (APP_ORIGIN: string, SHORT_ORIGIN = '') => ({ APP_ORIGIN, SHORT_ORIGIN });

describe('originsOf', () => {
  it('accepts an origin with or without a slash at its end', () => {
    const both = settings('https://hop.example/', 'http://h.example:8080');
    expect(originsOf(both, 'https://other.example/')).toEqual({ app: 'https://hop.example', short: 'http://h.example:8080' });
  });

  it.each(['hop.example', 'ftp://hop.example', 'https://hop.example/x', 'https://hop.example?x', 'https://ada@hop.example'])(
    'throws for %s, which is not an origin',
    (text) => {
      expect(() => originsOf(settings(text), 'https://hop.example/')).toThrow(`APP_ORIGIN is "${text}". It must be an origin`);
      expect(() => originsOf(settings('https://hop.example', text), 'https://hop.example/')).toThrow(`SHORT_ORIGIN is "${text}"`);
    },
  );
});

describe('httpsOriginFor', () => {
  it('returns the https origin of a configured host', () => {
    const both = settings('https://hop.example', 'https://h.example');
    expect(httpsOriginFor(both, 'http://hop.example/pricing')).toBe('https://hop.example');
    expect(httpsOriginFor(both, 'http://h.example./abc')).toBe('https://h.example');
    expect(httpsOriginFor(both, 'http://other.example/')).toBeNull();
    expect(httpsOriginFor(settings('http://hop.example'), 'http://hop.example/')).toBeNull();
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])('returns null for the loopback host %s', (host) => {
    expect(isLoopback(`http://${host}:8787/`)).toBe(true);
    expect(httpsOriginFor(settings(`https://${host}:8787`), `http://${host}:8787/`)).toBeNull();
  });
});
