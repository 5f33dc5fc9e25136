import { listAll } from '#contract/language.ts';
import { answers, GridCard, type CardSpec } from './grid-card.tsx';
import { nameFilters, type Filtering } from './filters.ts';

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
  const shown = present.filter(answers);
  return (
    <>
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        {shown.map((card, index) => (
          <GridCard key={card.param} {...card} wide={spansRow(shown, index)} />
        ))}
      </div>
      {folded.length > 0 && filtering !== null && (
        <p className="px-1 text-13 text-ink-3">
          {listAll(folded.map(({ title }) => title))} cannot be filtered by{' '}
          {nameFilters(filtering.filters)}.{' '}
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

/** True for a card with something beside its views, and for one that no other shares a row with. */
function spansRow(cards: readonly CardSpec[], index: number): boolean {
  const isWhole = (at: number): boolean => cards[at]?.aside !== undefined;
  if (isWhole(index)) return true;
  let before = 0;
  while (index - before > 0 && !isWhole(index - before - 1)) before += 1;
  const isFirstOfRow = before % 2 === 0;
  return isFirstOfRow && (index === cards.length - 1 || isWhole(index + 1));
}
