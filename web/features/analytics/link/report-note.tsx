import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { plural } from '#contract/language.ts';
import { CLOCK, formatDateInUtc, localDateFormat } from '#web/shared/texts/format.ts';
import { useHint } from '#web/ui/use-hint.tsx';
import { describeZone } from '#web/features/analytics/zone.ts';

const formatTime = localDateFormat({ ...CLOCK, second: '2-digit' });

/**
 * Says how many clicks are from before an import, what the figures exclude and why, in which time
 * zone they are, and how old. `updatedAt` is in ms.
 */
export function ReportNote({
  report: { setAside, imported, shortenedBy, period, generatedAt },
  updatedAt,
}: {
  report: Pick<
    AnalyticsResponse,
    'setAside' | 'imported' | 'shortenedBy' | 'period' | 'generatedAt'
  >;
  updatedAt: number;
}) {
  const [hintButton, hint] = useHint(
    'bots and prefetches',
    'Bots are programs such as search engines and link checkers, recognized by their user agent. A prefetch is a link that a browser or an app loads before anyone opens it, such as a chat that shows its preview card.',
  );
  return (
    <div className="px-1 text-13 text-ink-3">
      <p>
        {imported !== null && (
          <>
            <span className="font-medium text-ink-2">{describeImport(imported)}</span> The other
            figures do not include them.{' '}
          </>
        )}
        {shortenedBy !== null &&
          period.from !== null &&
          `Earlier days than ${formatDateInUtc(period.from)} are kept as months only. `}
        {describeExcludedClicks(setAside)} {hintButton} {describeZone(Date.parse(generatedAt))}{' '}
        <span className="whitespace-nowrap tabular-nums">Updated {formatTime(updatedAt)}.</span>
      </p>
      {hint}
    </div>
  );
}

/** Returns '12,345 clicks before the import from Bitly.' */
export const describeImport = ({
  clicks,
  from,
}: NonNullable<AnalyticsResponse['imported']>): string =>
  `${plural(clicks, 'click')} before the import from ${from}.`;

/** Returns '12 bots and 3 prefetches excluded.' */
function describeExcludedClicks({ bots, prefetches }: AnalyticsResponse['setAside']): string {
  const parts = [
    ...(bots > 0 ? [plural(bots, 'bot')] : []),
    ...(prefetches > 0 ? [plural(prefetches, 'prefetch', 'prefetches')] : []),
  ];
  return parts.length === 0 ? 'No bots or prefetches.' : `${parts.join(' and ')} excluded.`;
}
