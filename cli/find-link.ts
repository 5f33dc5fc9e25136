import { dataOf, type ApiLink, type HopClient } from './client.ts';
import { UsageError, type Argument } from './command.ts';
import { request } from './request.ts';

/** How a command names a link. */
export const LINK: Argument = { name: 'CODE' };

export async function findLink(client: HopClient, name: string | undefined): Promise<ApiLink> {
  const code = codeIn(name ?? '');
  return request(() => dataOf(client.GET('/links/by-code/{code}', { params: { path: { code } } })));
}

/**
 * Returns what the API finds a link by: its code, or its short URL without `https://`, which only a
 * host without a dot needs. `name` may have the `+` of its preview, or a query.
 */
export function codeIn(name: string): string {
  const code = name
    .replace(/[?#].*$/s, '')
    .replace(/^https?:\/\/(?=[^/]*[.:])/i, '')
    .replace(/(?:\+|%2b)?\/*$/i, '');
  // A host has a dot or a colon, and a code has neither.
  if (code === '' || /^[^/]*[.:][^/]*$/.test(code))
    throw new UsageError(`“${name}” is neither a code nor a short URL.`);
  return code;
}
