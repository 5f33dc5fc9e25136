import { env } from 'cloudflare:test';
import { call } from './call.ts';

let networks = 0;

/**
 * Returns an IPv4 address in a network that no test has used, so that tests do not share rate
 * limits.
 */
export function newNetwork(): string {
  networks += 1;
  return `203.0.${networks >> 8}.${networks & 255}`;
}

export function shortenAsVisitor(
  init: RequestInit,
  overrides: Partial<Env> = {},
): Promise<Response> {
  const headers = new Headers({
    'CF-Connecting-IP': newNetwork(),
    'Content-Type': 'application/json',
  });
  new Headers(init.headers).forEach((value, name) => headers.set(name, value));
  return call('/api/shorten', { method: 'POST', ...init, headers }, overrides);
}

export const bodyOf = (response: Response): Promise<Record<string, unknown>> => response.json();

export const countLinks = (): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM links').first<number>('n');
