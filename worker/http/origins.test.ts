import { describe, expect, it } from 'vitest';
import { httpsOriginFor, isLoopback } from './origins.ts';

const settings = (APP_ORIGIN: string, SHORT_ORIGIN = '') => ({ APP_ORIGIN, SHORT_ORIGIN });

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
