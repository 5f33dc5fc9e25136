import type { AnalyticsResponse } from '#contract/analytics.ts';
import { dateFormat, formatNumber, plural } from '#contract/language.ts';

const formatTime = dateFormat({ timeStyle: 'medium' });

/**
 * Says how many clicks came by QR code and from before an import, what the figures exclude and why,
 * and how old they are. `updatedAt` is in ms.
 */
export const ExcludedNote = ({
  report: { setAside, imported, analytics },
  updatedAt,
}: {
  report: Pick<AnalyticsResponse, 'setAside' | 'imported'> & {
    analytics: Pick<AnalyticsResponse['analytics'], 'totalClicks' | 'qrScans'>;
  };
  updatedAt: number;
}) => (
  <p className="px-1 text-13 text-ink-3">
    {analytics.qrScans > 0 && `${describeScans(analytics)} `}
    {imported !== null && (
      <>
        <span className="font-medium text-ink-2">
          {plural(imported.clicks, 'click')} before the import from {imported.from}.
        </span>{' '}
        The other figures do not include them.{' '}
      </>
    )}
    {describeExcludedClicks(setAside)} Bots are programs such as search engines and link checkers,
    recognised by their user agent. A prefetch is a link that a browser or an app loads before
    anyone opens it.{' '}
    <span className="whitespace-nowrap tabular-nums">Updated {formatTime(updatedAt)}.</span>
  </p>
);

/** Returns '12 of 340 clicks came from scans of the QR code.' */
const describeScans = ({
  qrScans,
  totalClicks,
}: {
  qrScans: number;
  totalClicks: number;
}): string =>
  `${formatNumber(qrScans)} of ${plural(totalClicks, 'click')} came from scans of the QR code.`;

/** Returns '12 bots and 3 prefetches excluded.' */
function describeExcludedClicks({ bots, prefetches }: AnalyticsResponse['setAside']): string {
  const parts = [
    bots > 0 ? plural(bots, 'bot') : '',
    prefetches > 0 ? plural(prefetches, 'prefetch', 'prefetches') : '',
  ];
  const excluded = parts.filter((part) => part !== '').join(' and ');
  return excluded === '' ? 'No bots or prefetches.' : `${excluded} excluded.`;
}
