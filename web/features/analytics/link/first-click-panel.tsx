import type { ReactNode } from 'react';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { describeImport } from './report-note.tsx';

/** A link without clicks only gets the ways to share and to try it. */
export const FirstClickPanel = ({
  report: { url, imported },
  qr,
}: {
  report: Pick<AnalyticsResponse, 'url' | 'imported'>;
  qr: ReactNode;
}) => (
  <Card className="flex flex-col gap-6 px-4 py-8 sm:flex-row sm:items-center sm:justify-between sm:px-8 sm:py-10">
    <div className="min-w-0">
      <h2 className="flex items-center gap-2.5 text-20 font-semibold tracking-tight">
        <span
          aria-hidden="true"
          className="size-2 shrink-0 animate-pulse-soft rounded-full bg-accent forced-colors:bg-[Highlight]"
        />
        Waiting for the first click
      </h2>
      <p className="mt-1 text-14 text-ink-3">
        No clicks yet. Share the short URL: clicks appear here within seconds.
      </p>
      {imported !== null && <p className="mt-1 text-14 text-ink-3">{describeImport(imported)}</p>}
      <p className="mt-5 font-mono text-16 font-medium [overflow-wrap:anywhere]">
        {readableUrl(url.short_url)}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-2">
        <CopyButton text={url.short_url} variant="primary" />
        <ExternalLink href={url.short_url} className={buttonClass()}>
          Open it yourself to see it work
        </ExternalLink>
      </p>
    </div>
    <div className="shrink-0">{qr}</div>
  </Card>
);
