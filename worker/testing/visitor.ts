import { env } from 'cloudflare:test';
import { call } from './call.ts';

let networks = 0;

/**
 * An IPv4 address whose network no test has used before, so that no test uses up another's
 * allowance.
 */
export function newNetwork(): string {
  networks += 1;
  return `203.0.${networks >> 8}.${networks & 255}`;
}

/** POST /api/shorten from a new network. */
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

/** The number of links in D1. */
export const countLinks = (): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM links').first<number>('n');
