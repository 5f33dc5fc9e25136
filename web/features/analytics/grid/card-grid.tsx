import { listAll, wordFor } from '#contract/language.ts';
import { answers, GridCard, type CardSpec } from './grid-card.tsx';
import { describeFilters, type Filtering } from './filters.ts';

/**
 * Shows the cards that have an answer. Those that have none under the filter fold into one line, so
 * that a filter never leaves empty cards.
 */
export function CardGrid({
  cards,
  filtering,
}: {
  cards: readonly CardSpec[];
  filtering: Pick<Filtering, 'filters' | 'clear'> | null;
}) {
  const present = cards.filter(({ views }) => views.length > 0);
  const folded = present.filter((card) => !answers(card));
  return (
    <>
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-2 lg:[&>:last-child:nth-child(odd):not(.lg\:col-span-2)]:col-span-2">
        {present.filter(answers).map((card) => (
          <GridCard key={card.param} {...card} />
        ))}
      </div>
      {folded.length > 0 && filtering !== null && (
        <p className="px-1 text-13 text-ink-3">
          {listAll(folded.map(({ title }) => title))} {wordFor(folded.length, 'is', 'are')} not
          counted together with {describeFilters(filtering.filters)}.{' '}
          <button
            type="button"
            onClick={filtering.clear}
            className="font-medium text-accent hover:underline print:hidden"
          >
            Show all clicks
          </button>
        </p>
      )}
    </>
  );
}
