import { useId } from 'react';
import type { ClickPreviewResponse } from '#contract/reports/click-preview.ts';
import { KEEP_VISITOR_KEYS_HOURS } from '#contract/limits.ts';
import { api } from '#web/shared/api/api.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';

/** Asks the functions that count clicks what they would store of this visitor. */
export function MyClick() {
  const preview = useAsyncAction(() => api<ClickPreviewResponse>('/api/click-preview'));
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="bg-surface p-5 sm:col-span-2 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-60">
          <h3 id={titleId} className="text-14 font-medium">
            Your own click
          </h3>
          <p className="mt-0.5 text-13 text-ink-3">
            The code that counts clicks answers, and stores nothing.
          </p>
        </div>
        <Button pending={preview.pending} onClick={() => preview.run(undefined)}>
          Show me what my click would store
        </Button>
      </div>
      <output className="block not-empty:mt-5">
        {preview.data !== null && <Stored preview={preview.data} />}
      </output>
      {preview.error !== null && (
        <div className="mt-5">
          <ErrorLine
            message="Your click could not be shown."
            query={{ refetch: () => preview.run(undefined), isManual: true }}
          />
        </div>
      )}
    </section>
  );
}

const VISITOR_ID = `A pseudonym for this link and this day. Its key is destroyed within ${KEEP_VISITOR_KEYS_HOURS} hours.`;
const NO_VISITOR_ID = 'None, because your browser asks not to be tracked.';
const COUNTED_AS = {
  bot: 'Your browser looks like a bot. Its clicks are counted apart, and nothing else is stored.',
  prefetch: 'Your browser only prefetched. That is counted apart, and nothing else is stored.',
} as const;

function Stored({
  preview: { at, figure, details, hasVisitorId },
}: {
  preview: ClickPreviewResponse;
}) {
  if (figure !== 'human' || details === null)
    return <p className="text-14">{COUNTED_AS[figure === 'prefetch' ? figure : 'bot']}</p>;
  const { country, region, city, device, browser, os, source } = details;
  const rows: [string, string][] = [
    ['Time', formatDateTime(at)],
    ['Country', countryName(country)],
    ['Region and city', [region, city].filter((name) => name !== '').join(', ') || 'Unknown'],
    ['Device', device],
    ['Browser', browser],
    ['Operating system', os],
    ['Came from', source === '' ? 'No site was named' : `${source}, this site`],
    ['IP address', 'Not stored'],
    ['Visitor id', hasVisitorId ? VISITOR_ID : NO_VISITOR_ID],
  ];
  return (
    <dl className="grid animate-appear grid-cols-2 gap-x-6 gap-y-3 text-14 lg:grid-cols-4">
      {rows.map(([name, value]) => (
        <div key={name} className="min-w-0 last:col-span-full">
          <dt className="text-13 text-ink-3">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
