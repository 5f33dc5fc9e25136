import { env } from 'cloudflare:test';
import { call } from './call.ts';

let network = 0;

/** POST /api/shorten from a network that nobody came from before: no test uses up another's allowance. */
export function shortenAsVisitor(init: RequestInit, overrides: Partial<Env> = {}): Promise<Response> {
  const headers = new Headers({
    'CF-Connecting-IP': `203.0.${(network += 1) >> 8}.${network & 255}`,
    'Content-Type': 'application/json',
  });
  new Headers(init.headers).forEach((value, name) => headers.set(name, value));
  return call('/api/shorten', { method: 'POST', ...init, headers }, overrides);
}

export const bodyOf = (response: Response): Promise<Record<string, unknown>> => response.json();

/** How many links D1 holds. */
export const countLinks = (): Promise<number | null> => env.DB.prepare('SELECT count(*) AS n FROM links').first<number>('n');
