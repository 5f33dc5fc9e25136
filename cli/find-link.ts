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
 * Returns the code in `name`: a code, or a short URL with or without `https://`, with the `+` of
 * its preview or with a query.
 */
export function codeIn(name: string): string {
  // Codes of imported links can have slashes, but no dots or colons, which hosts have.
  const code = name
    .replace(/[?#].*$/s, '')
    .replace(/^(?:https?:\/\/[^/]*|[^/]*[.:][^/]*)(?:\/|$)/i, '')
    .replace(/(?:\+|%2b)?\/*$/i, '');
  if (code === '') throw new UsageError(`“${name}” is neither a code nor a short URL.`);
  return code;
}
