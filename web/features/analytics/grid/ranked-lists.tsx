import { useState } from 'react';
import { plural } from '#contract/language.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { RankedList, type RankedRow } from './ranked-list.tsx';

export const ROWS_SHOWN = 7;
/** From this many rows on, the full list has a search. */
const SEARCH_FROM = 16;

/** Shows the first `shown` rows of a list. `title` names them: 'Countries'. */
export function TopRows({
  rows,
  total,
  title,
  shown = ROWS_SHOWN,
}: {
  rows: readonly RankedRow[];
  total: number;
  title: string;
  shown?: number;
}) {
  const [open, setOpen] = useState(false);
  const largest = largestOf(rows);
  return (
    <>
      <RankedList rows={rows.slice(0, shown)} total={total} largest={largest} />
      {rows.length > shown && (
        <div className="mt-1 flex justify-center print:hidden">
          <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            View all<span className="sr-only"> {title.toLowerCase()}</span>
          </Button>
        </div>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title={title} width="reading">
        <AllRows rows={rows} total={total} title={title} onChosen={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AllRows({
  rows,
  total,
  title,
  onChosen,
}: {
  rows: readonly RankedRow[];
  total: number;
  title: string;
  onChosen: () => void;
}) {
  const [search, setSearch] = useState('');
  const found = rows.filter(({ text, detail }) =>
    `${text} ${detail ?? ''}`.toLowerCase().includes(search.toLowerCase()),
  );
  const closing = found.map(({ onChoose, ...row }) => ({
    ...row,
    onChoose:
      onChoose === null
        ? null
        : () => {
            onChosen();
            onChoose();
          },
  }));
  return (
    <>
      {rows.length >= SEARCH_FROM && (
        // The heading stays over the list, and would cover the upper edge of the focus.
        <div className="pt-1">
          <SearchBox label={`Search ${title.toLowerCase()}`} search={search} onSearch={setSearch} />
        </div>
      )}
      <output className={search === '' ? 'sr-only' : 'mt-2 block text-13 text-ink-3'}>
        {search === ''
          ? ''
          : found.length === 0
            ? 'Nothing found'
            : `${plural(found.length, 'row')} found`}
      </output>
      {/* The height does not change while the search narrows the list. */}
      <div className="mt-3 h-[min(28rem,60dvh)] overflow-y-auto" tabIndex={-1}>
        <RankedList rows={closing} total={total} largest={largestOf(rows)} />
      </div>
    </>
  );
}

const largestOf = (rows: readonly RankedRow[]): number =>
  Math.max(1, ...rows.map(({ clicks }) => clicks));
