import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { previewUrlOf, shortUrlOn } from '#contract/codes/link-key.ts';
import {
  ChartSpline,
  Copy,
  Ellipsis,
  Eye,
  FileDown,
  Printer,
  QrCode,
  Share2,
  TextWrap,
} from 'lucide-react';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { config } from '#web/shared/page/config.ts';
import {
  codeOf,
  formatDateTime,
  formatDateInUtc,
  readableUrl,
  splitHost,
} from '#web/shared/texts/format.ts';
import { PrintedBrand } from '#web/shared/page/printed-brand.tsx';
import { useHeadingFocus } from '#web/ui/use-heading-focus.ts';
import { usePageTitle } from '#web/ui/use-page-title.ts';
import { CopyIcon, copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import {
  describePeriod,
  searchOf,
  selectionOf,
  type Selection,
} from '#web/features/analytics/range.ts';
import { RangePicker } from '#web/features/analytics/range-picker.tsx';
import { EXPORT_FORMATS, useExport } from '#web/features/analytics/use-export.ts';
import { clsx } from 'clsx';
import { REFETCH_INTERVAL_MS } from '#web/features/analytics/queries.ts';

/**
 * Shows the short link and its target, 64 px high; on phones the range is below. `report` is
 * undefined while it loads. `range` is the chosen one, which the report may not have yet.
 */
export function ReportHead({
  code,
  report,
  range,
  onRange,
  failing,
  switching = false,
  qr,
  onShare,
}: {
  code: string;
  report: AnalyticsResponse | undefined;
  range: Selection;
  onRange: (range: Selection) => void;
  /** True if the last request for the report failed, or the next one would. */
  failing: boolean;
  /** True while another range than that of the report loads. */
  switching?: boolean;
  /** The QR code of the link, shown on request. */
  qr: ReactNode;
  onShare: () => void;
}) {
  const [expanded, setExpanded] = useState(false);
  const [showsQr, setShowsQr] = useState(false);
  const url = report?.url;
  // A link without clicks has no ranges to choose from.
  const hasClicks = report === undefined || report.lifetime.totalClicks > 0;
  return (
    <div className="mb-4">
      {report !== undefined && <PrintedHead report={report} />}
      <ParentLink to="/dashboard" label="My URLs" />
      <header className="flex flex-wrap items-center gap-x-3 pb-1 md:h-16 md:flex-nowrap md:pb-0">
        <div className="flex h-16 min-w-0 flex-1 flex-col justify-center">
          <Title code={code} url={url} />
          {url === undefined ? (
            <Skeleton className="my-0.5 h-4 w-56 max-w-full" />
          ) : (
            <Target url={url.long_url} />
          )}
        </div>
        <LiveStatus failing={failing} loading={report === undefined || switching} />
        {hasClicks && (
          <div className="max-md:order-last max-md:basis-full">
            <RangePicker value={range} onChange={onRange} />
          </div>
        )}
        {report === undefined ? (
          <span className="size-8 pointer-coarse:size-11" />
        ) : (
          <HeadMenu
            report={report}
            expanded={expanded}
            onExpand={() => setExpanded(!expanded)}
            onQr={() => setShowsQr(true)}
            onShare={onShare}
          />
        )}
      </header>
      {url !== undefined && expanded && (
        <p className="mt-2 text-13 [overflow-wrap:anywhere] text-ink-2" aria-label="Destination">
          {url.long_url}
        </p>
      )}
      <Dialog
        open={showsQr}
        onClose={() => setShowsQr(false)}
        title={`QR code for ${codeOfKey(code)}`}
      >
        <div className="flex justify-center">{qr}</div>
      </Dialog>
    </div>
  );
}

/** The product's mark and the days of the report, for paper. */
function PrintedHead({ report }: { report: AnalyticsResponse }) {
  const { url, period, generatedAt } = report;
  const from = period.from ?? url.created_at.slice(0, 'YYYY-MM-DD'.length);
  return (
    <PrintedBrand>
      <span>
        {`Clicks in ${describePeriod(report)}: ${formatDateInUtc(from, period.to)}. Made on ${formatDateTime(generatedAt)}.`}
      </span>
    </PrintedBrand>
  );
}

function Title({ code: key, url }: { code: string; url: AnalyticsResponse['url'] | undefined }) {
  const code = codeOfKey(key);
  usePageTitle(`Analytics for ${code}`);
  const heading = useHeadingFocus();
  // The host of a domain is known once the report has loaded.
  const known = code === key ? shortUrlOn(config.shortOrigin, code) : code;
  const short = readableUrl(url?.short_url ?? known);
  return (
    <div className="flex min-h-8 min-w-0 items-center gap-1 pointer-coarse:min-h-11">
      <h1
        ref={heading}
        tabIndex={-1}
        dir="ltr"
        className="flex min-w-0 font-mono text-14 font-semibold sm:text-16"
      >
        {/* If the URL does not fit, the host is cut and the code stays. */}
        <span className="truncate text-ink-3">{short.slice(0, short.length - code.length)}</span>
        <span className="max-w-full shrink-0 truncate">{code}</span>
      </h1>
      {url !== undefined && (
        <span className="print:hidden">
          <CopyIcon text={url.short_url} name={`Copy ${short}`} />
        </span>
      )}
    </div>
  );
}

function Target({ url }: { url: string }) {
  const { host, rest } = splitHost(url);
  return (
    <ExternalLink
      href={url}
      dir="ltr"
      title={url}
      rel="noopener noreferrer nofollow"
      className="max-w-full min-w-0 self-start truncate text-13 text-ink-3 hover:text-ink"
    >
      <span className="font-medium text-ink-2">{host}</span>
      {rest}
    </ExternalLink>
  );
}

function HeadMenu({
  report,
  expanded,
  onExpand,
  onQr,
  onShare,
}: {
  report: AnalyticsResponse;
  expanded: boolean;
  onExpand: () => void;
  onQr: () => void;
  onShare: () => void;
}) {
  const { short_code: key, short_url: shortUrl, long_url: longUrl } = report.url;
  const code = codeOf(shortUrl);
  const download = useExport(
    `/api/analytics/${encodeURIComponent(key)}/export?${searchOf(selectionOf(report))}`,
    `analytics-${code}-${fileNameOf(report)}`,
  );
  return (
    <div className="print:hidden">
      <Menu
        label={`More actions for ${code}`}
        items={[
          // The reports of an administrator's view belong to somebody else.
          ...(report.viewer === 'owner'
            ? [{ label: 'Share report', icon: <Share2 />, onSelect: onShare }]
            : []),
          { label: 'QR code', icon: <QrCode />, onSelect: onQr },
          {
            label: 'Preview',
            icon: <Eye />,
            onSelect: () => void window.open(previewUrlOf(shortUrl), '_blank', 'noopener'),
          },
          {
            label: expanded ? 'Hide destination' : 'Show destination',
            icon: <TextWrap />,
            onSelect: onExpand,
          },
          { label: 'Copy destination', icon: <Copy />, onSelect: () => copyText(longUrl) },
          ...(report.advanced
            ? EXPORT_FORMATS.map((format) => ({
                label: `Download ${format.toUpperCase()}`,
                icon: <FileDown />,
                onSelect: () => download(format),
              }))
            : []),
          ...(report.viewer === 'owner'
            ? [
                {
                  label: 'Compare with other links',
                  icon: <ChartSpline />,
                  to: `/analytics?${new URLSearchParams({ compare: 'links', with: key }).toString()}`,
                },
              ]
            : []),
          { label: 'Print report', icon: <Printer />, onSelect: () => window.print() },
        ]}
      >
        <Ellipsis className="size-4" />
      </Menu>
    </div>
  );
}

const fileNameOf = ({ range, period }: AnalyticsResponse): string =>
  range === 'custom' ? `${period.from ?? ''}-${period.to}` : range;

/**
 * Shows whether the page updates itself: a dot, and a word beside it if there is room. While
 * `loading` it only reserves its space.
 */
function LiveStatus({ failing, loading }: { failing: boolean; loading: boolean }) {
  const hidden = usePageHidden();
  return (
    <p
      title={`Updates every ${REFETCH_INTERVAL_MS / 1000} seconds while the page is visible`}
      className={clsx(
        'flex shrink-0 items-center gap-2 text-13 text-ink-3 print:hidden',
        loading && 'invisible',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'size-2 rounded-full forced-colors:bg-[CanvasText]',
          failing || hidden ? 'bg-warn' : 'bg-good',
        )}
      />
      <span className="max-sm:sr-only">
        {failing ? 'Not up to date' : hidden ? 'Paused' : 'Live'}
      </span>
    </p>
  );
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

const usePageHidden = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => document.hidden,
    () => false,
  );
