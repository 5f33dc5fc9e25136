import * as z from 'zod/mini';
import type { LinkPosition, LinkSearch } from '#worker/links/search-links.ts';

type From = NonNullable<LinkSearch['from']>;

const content = z.tuple([z.enum(['after', 'before']), z.string(), z.int(), z.int()]);

/** A cursor: the direction, the order it belongs to, and the position of a link in that order. Clients do not read it. */
export function encodeCursor(direction: From['direction'], sort: string, { clicks, id }: LinkPosition): string {
  return btoa(JSON.stringify([direction, sort, clicks, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Null for a text that is not a cursor of this order. */
export function decodeCursor(cursor: string, sort: string): From | null {
  const parsed = content.safeParse(parseJson(cursor));
  if (!parsed.success) return null;
  const [direction, order, clicks, id] = parsed.data;
  return order === sort ? { direction, position: { clicks, id } } : null;
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return null;
  }
}
