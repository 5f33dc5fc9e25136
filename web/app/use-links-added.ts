import type { ShortenResponse } from '#contract/links/links.ts';
import { useInvalidateLinks } from '#web/features/links/queries.ts';
import { useSubscriptionCache } from '#web/features/plans/queries.ts';

/** Returns a function for new links of the member: the plan shows their usage, lists load again. */
export function useLinksAdded(): (usage?: ShortenResponse['usage']) => void {
  const { afterShorten } = useSubscriptionCache();
  const invalidateLinks = useInvalidateLinks();
  return (usage) => {
    afterShorten(usage);
    invalidateLinks();
  };
}
