import { formatDateInUtc } from '#web/shared/texts/format.ts';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { useHint } from '#web/ui/use-hint.tsx';
import { describeSample } from './card-views.tsx';
import { describeFilter, nameFilters, type Filtering } from './filters.ts';
import { CLICK_STORAGE } from '#contract/reports/click-storage.ts';

/**
 * Shows how to filter, or each filter as a chip that removes it. Its height is the same in both
 * cases, and it stays in view while the page is filtered.
 */
export function FilterBar({ filtering }: { filtering: Filtering }) {
  const { filters, shown, error, retry, retrying, toggle } = filtering;
  const bar = useRef<HTMLDivElement>(null);
  const [hintButton, hint] = useHint('filters', CLICK_STORAGE);
  const isFiltered = filters.length > 0;
  return (
    <>
      <section
        ref={bar}
        aria-label="Filters"
        aria-live="polite"
        tabIndex={-1}
        className={clsx(
          '-my-1 flex min-h-9 min-w-0 items-center gap-x-2 rounded-lg text-13 text-ink-3 pointer-coarse:min-h-12',
          isFiltered
            ? 'sticky top-16 z-10 border border-line bg-raised pe-3 shadow-float print:static print:shadow-none'
            : 'print:hidden',
        )}
      >
        {isFiltered ? (
          filters.map((filter) => (
            <button
              key={filter.dimension}
              type="button"
              aria-label={`Remove filter ${describeFilter(filter)}`}
              onClick={() => {
                toggle(filter);
                // The chip disappears together with its focus.
                bar.current?.focus({ preventScroll: true });
              }}
              className="my-0.5 ms-0.5 inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md bg-accent-soft px-2.5 font-medium text-accent hover:bg-hover pointer-coarse:h-11 forced-colors:border"
            >
              <span className="truncate">{describeFilter(filter)}</span>
              <X className="size-4 shrink-0" />
            </button>
          ))
        ) : (
          <p className="px-1">Choose a country, device or other row to filter the page by it.</p>
        )}
        {hintButton}
        {shown !== null && (
          <p className="ms-auto shrink-0 tabular-nums max-sm:hidden">
            {describeSample({ clicks: shown.analytics.recentClicks, of: shown.recent.of })}
          </p>
        )}
      </section>
      {hint}
      {shown?.pairsSince != null && (
        <p className="px-1 text-13 text-ink-3">
          Counted for {nameFilters(filters)} since {formatDateInUtc(shown.pairsSince)}. Earlier
          clicks are missing where two values are combined.
        </p>
      )}
      {error !== null && (
        <ErrorLine
          message={`Failed to load the filtered report${shown === null ? ', so the figures above count all clicks' : ''}. ${error.message}`}
          query={{ refetch: retry, isFetching: retrying }}
        />
      )}
    </>
  );
}
