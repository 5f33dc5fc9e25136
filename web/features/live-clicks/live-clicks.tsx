import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { LIVE_CLICKS_MINUTES, type LiveClicksResponse } from '#contract/reports/live-clicks.ts';
import { api } from '#web/shared/api/api.ts';
import { useInView } from '#web/shared/page/use-in-view.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { ClicksPicture } from './clicks-picture.tsx';
import { useRecentActivity } from './use-recent-activity.ts';

/**
 * The clicks of the last minutes on the member's links, or on those on a domain. It asks for new
 * ones while it is in view and the page is in use. `countries` are the clicks by country of a longer
 * time, drawn as dots.
 */
export function LiveClicks({
  domain,
  countries,
  countriesNote,
  onFirstClick,
}: {
  /** Its host, '' for the deployment's own; null for all links. */
  domain: string | null;
  countries: Readonly<Record<string, number>>;
  /** Says of which time `countries` are; '' without any. */
  countriesNote: string;
  /** Called when there are clicks. */
  onFirstClick?: () => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const isInView = useInView(element);
  const isActive = useRecentActivity();
  const answer = useQuery({
    queryKey: ['live-clicks', domain],
    queryFn: ({ signal }) => api<LiveClicksResponse>(PATH + searchOf(domain), { signal }),
    enabled: isInView && isActive,
    refetchInterval: ({ state: { data } }) => (data?.refreshSeconds ?? 30) * 1_000,
    retry: 1,
  });
  const { clicks = [], complete = true, refreshSeconds: seconds } = answer.data ?? {};
  const shown = useMemo(() => ({ clicks, countries }), [clicks, countries]);
  const hasClicks = clicks.length > 0;
  const reportClicks = useEffectEvent(() => onFirstClick?.());
  useEffect(() => {
    if (hasClicks) reportClicks();
  }, [hasClicks]);
  return (
    <div ref={element}>
      <ClicksPicture
        title={`Last ${LIVE_CLICKS_MINUTES} minutes`}
        hint={[describeState(seconds, isActive), countriesNote]
          .filter((text) => text !== '')
          .join(' ')}
        shown={shown}
        complete={complete}
        isOwn
      >
        {answer.data !== undefined && (
          <p className="border-t border-line pt-3 text-14 text-ink-2">
            {describeNoClicks(complete)}
          </p>
        )}
      </ClicksPicture>
      {answer.isError && (
        <div className="mt-3">
          <ErrorLine message="The latest clicks could not be loaded." query={answer} />
        </div>
      )}
    </div>
  );
}

const PATH = '/api/overview/clicks';
const searchOf = (domain: string | null): string =>
  domain === null ? '' : `?${new URLSearchParams({ domain }).toString()}`;

function describeState(seconds: number | undefined, isActive: boolean): string {
  if (seconds === undefined) return 'Loading…';
  return isActive ? `Live, every ${seconds} seconds.` : 'Waits until you use the page again.';
}

const describeNoClicks = (complete: boolean): string =>
  complete
    ? `No clicks in the last ${LIVE_CLICKS_MINUTES} minutes. The next one appears here within seconds.`
    : `No clicks found in the last ${LIVE_CLICKS_MINUTES} minutes.`;
