import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { describeFilter, explainFilter, type Filtering } from './filters.ts';

/**
 * Shows how to filter, or the filter as a chip that removes it. Its height is the same in both
 * cases, and it stays in view while the page is filtered.
 */
export function ReportFilterBar({ filtering }: { filtering: Filtering }) {
  const { filter, error, retry, retrying, clear } = filtering;
  const bar = useRef<HTMLDivElement>(null);
  const name = filter === null ? '' : describeFilter(filter);
  return (
    <>
      <section
        ref={bar}
        aria-label="Filter"
        aria-live="polite"
        tabIndex={-1}
        className={clsx(
          '-my-1 flex min-h-9 min-w-0 items-center gap-x-3 rounded-lg text-13 text-ink-3 pointer-coarse:min-h-12',
          filter === null
            ? 'print:hidden'
            : 'sticky top-16 z-10 border border-line bg-raised pe-3 shadow-float print:static print:shadow-none',
        )}
      >
        {filter === null ? (
          <p className="px-1">Choose a country, device or other row to filter the page by it.</p>
        ) : (
          <>
            <button
              type="button"
              aria-label={`Remove filter ${name}`}
              title="Remove the filter"
              onClick={() => {
                clear();
                // The chip disappears together with its focus.
                bar.current?.focus({ preventScroll: true });
              }}
              className="my-0.5 ms-0.5 inline-flex h-8 max-w-[70%] min-w-0 items-center lg:shrink-0 gap-1.5 rounded-md bg-accent-soft px-2.5 font-medium text-accent hover:bg-hover pointer-coarse:h-11 forced-colors:border"
            >
              <span className="truncate">{name}</span>
              <X className="size-4 shrink-0" />
            </button>
            <p className="min-w-0 truncate max-lg:sr-only" title={explainFilter(filter)}>
              {explainFilter(filter)}
            </p>
          </>
        )}
      </section>
      {filter !== null && (
        <p className="-mt-2 px-1 text-13 text-ink-3 lg:hidden">{explainFilter(filter)}</p>
      )}
      {error !== null && (
        <ErrorLine
          message={`Failed to load the filtered report${filtering.shown === null ? ', so the figures above count all clicks' : ''}. ${error.message}`}
          query={{ refetch: retry, isFetching: retrying }}
        />
      )}
    </>
  );
}
