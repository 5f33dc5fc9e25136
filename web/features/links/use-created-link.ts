import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListedLink } from '#contract/links/links.ts';
import { setCreatedCode, useCreatedCode } from '#web/shared/links/new-link.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { linkQuery } from './queries.ts';

/**
 * Returns the list with the link that was just created on top, even if its filters or its order
 * would not show it there. That ends when they change, and when the member leaves the page.
 */
export function useCreatedLink(
  listed: readonly ListedLink[],
  query: string,
  inTrash: boolean,
): { links: readonly ListedLink[]; createdCode: string | null } {
  const code = useCreatedCode();
  const created = useQuery({ ...linkQuery(code ?? ''), enabled: code !== null });
  useChange(query, () => setCreatedCode(null));
  useEffect(() => () => setCreatedCode(null), []);
  // A link that has been deleted since is not found.
  const link = code === null || inTrash || created.isError ? undefined : created.data;
  if (link === undefined) return { links: listed, createdCode: null };
  return { links: [link, ...listed.filter(({ id }) => id !== link.id)], createdCode: code };
}
