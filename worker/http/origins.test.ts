import { describe, expect, it } from 'vitest';
import { httpsOriginFor, isLoopback, isOwnHost, originsOf } from './origins.ts';

const settings = (APP_ORIGIN: string, SHORT_ORIGIN = '', EXTRA_HOSTS = '') => ({
  APP_ORIGIN,
  SHORT_ORIGIN,
  EXTRA_HOSTS,
});

describe('originsOf', () => {
  it('accepts an origin with or without a slash at its end', () => {
    const both = settings('https://hop.example/', 'http://h.example:8080');
    expect(originsOf(both, 'https://other.example/')).toMatchObject({
      app: 'https://hop.example',
      short: 'http://h.example:8080',
    });
  });

  it.each([
    'hop.example',
    'ftp://hop.example',
    'https://hop.example/x',
    'https://hop.example?x',
    'https://ada@hop.example',
  ])('throws for %s, which is not an origin', (text) => {
    expect(() => originsOf(settings(text), 'https://hop.example/')).toThrow(
      `APP_ORIGIN is "${text}". It must be an origin`,
    );
    expect(() => originsOf(settings('https://hop.example', text), 'https://hop.example/')).toThrow(
      `SHORT_ORIGIN is "${text}"`,
    );
  });
});

describe('isOwnHost', () => {
  const both = settings(
    'https://hop.example',
    'https://h.example:8443',
    'old.example, 192.168.1.20 [2001:db8::1]',
  );

  it.each([
    'https://hop.example/',
    'http://hop.example/abc',
    'https://hop.example./abc',
    'https://HOP.example:444/abc',
    'https://h.example:8443/abc?x=1',
    'https://h.example/abc',
    'https://old.example/abc',
    'http://192.168.1.20:8787/',
    'http://[2001:db8::1]:8787/',
    'http://localhost:8787/',
    'http://127.0.0.1/',
    'http://[::1]:1/',
  ])('[T49] returns true for %s', (url) => {
    expect(isOwnHost(both, url)).toBe(true);
  });

  it.each([
    'https://evil.example/',
    'https://hop.example.evil.example/abc',
    'https://hop.example@evil.example/abc',
    'https://www.hop.example/',
    'https://hop.exampl/',
    'https://hop.example:x/',
    'http://192.168.1.21/',
    'not a URL',
  ])('[T49] returns false for %s', (url) => {
    expect(isOwnHost(both, url)).toBe(false);
  });

  it('[T49] serves loopback only where no setting names a host', () => {
    expect(isOwnHost(settings(''), 'http://localhost:8787/abc')).toBe(true);
    expect(isOwnHost(both, 'https://hop.example/abc')).toBe(true);
    expect(isOwnHost(settings(''), 'https://hop.example/abc')).toBe(false);
  });

  it('uses the origin of a request to an extra host where APP_ORIGIN is not set', () => {
    const origin = 'http://192.168.1.20:8787';
    expect(originsOf(settings('', '', '192.168.1.20'), `${origin}/x`)).toMatchObject({
      app: origin,
      short: origin,
    });
    expect(originsOf(both, `${origin}/x`).app).toBe('https://hop.example');
  });
});

describe('httpsOriginFor', () => {
  it('returns the https origin of a configured host', () => {
    const both = settings('https://hop.example', 'https://h.example');
    expect(httpsOriginFor(both, 'http://hop.example/pricing')).toBe('https://hop.example');
    expect(httpsOriginFor(both, 'http://h.example./abc')).toBe('https://h.example');
    expect(httpsOriginFor(both, 'http://other.example/')).toBeNull();
    expect(httpsOriginFor(settings('http://hop.example'), 'http://hop.example/')).toBeNull();
  });

  it('[A12] returns the https origin of an extra host where the application has https', () => {
    const moved = settings('https://hop.example', '', 'old.example');
    expect(httpsOriginFor(moved, 'http://old.example./abc')).toBe('https://old.example');
    expect(httpsOriginFor(moved, 'http://older.example/abc')).toBeNull();
    expect(
      httpsOriginFor(settings('http://hop.example', '', 'old.example'), 'http://old.example/'),
    ).toBeNull();
    expect(
      httpsOriginFor(
        settings('https://hop.example', 'http://h.example', 'h.example'),
        'http://h.example/',
      ),
    ).toBeNull();
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])('returns null for the loopback host %s', (host) => {
    expect(isLoopback(`http://${host}:8787/`)).toBe(true);
    expect(httpsOriginFor(settings(`https://${host}:8787`), `http://${host}:8787/`)).toBeNull();
  });
});
