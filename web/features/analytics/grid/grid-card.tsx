import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { Card } from '#web/ui/card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { useHint } from '#web/ui/use-hint.tsx';

/**
 * A view of a card. `content` is null if it cannot be answered under the filter. `rows` is its
 * height, so that a card keeps its own when another view is selected. `note` says where the numbers
 * are from if they are not the counts of the range.
 */
export type CardView = { name: string; content: ReactNode; rows: number; note?: string };

/** What a card shows. `param` is the parameter of the address that holds the selected view. */
export type CardSpec = {
  title: string;
  /** Names the tabs for screen readers. */
  label: string;
  param: string;
  hint: ReactNode;
  views: readonly CardView[];
  /** Shown beside the views on a wide screen. */
  aside?: ReactNode;
};

export const answers = ({ views }: CardSpec): boolean =>
  views.some(({ content }) => content !== null);

const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** A card of the grid: heading and tabs in one line, and the rows of the selected view. */
export function GridCard({
  title,
  label,
  param,
  views,
  hint,
  aside,
  wide,
}: CardSpec & { wide: boolean }) {
  const [query, setQuery] = useQueryParams();
  const [hintButton, hintText] = useHint(title, hint);
  const answered = views.find(({ content }) => content !== null);
  const shown = views.find(({ name }) => slugOf(name) === query.get(param)) ?? answered;
  if (shown === undefined) return null;
  const rows = Math.max(...views.map((view) => view.rows));
  const body = (
    <div
      // A row is 36 px high with its gap.
      style={{ minHeight: `${rows * 2.25}rem` }}
    >
      {shown.note !== undefined && <p className="px-2 pb-1 text-12 text-ink-3">{shown.note}</p>}
      {shown.content ?? <NotCounted />}
    </div>
  );
  return (
    <Card
      className={clsx(
        // A card that loads once it is near the window may have nothing to print.
        'print:has-aria-busy:hidden print:has-data-waits:hidden',
        wide && 'lg:col-span-2',
        aside !== undefined && 'lg:grid lg:grid-cols-[5fr_7fr]',
      )}
    >
      <div className="grid min-w-0 grid-cols-1 content-start px-2 pt-1 pb-2 sm:grid-cols-[auto_minmax(0,1fr)] sm:px-3 [&_[role=tablist]]:sm:justify-self-end [&_[role=tablist]]:border-b-0 [&_[role=tabpanel]]:col-span-full [&_[role=tabpanel]]:border-t [&_[role=tabpanel]]:border-line [&_[role=tabpanel]]:pt-2 [&>[data-orientation]]:contents">
        <div className="flex h-10 items-center ps-2 pointer-coarse:h-11">
          <h2 className="text-14 font-medium">{title}</h2>
          {hintButton}
        </div>
        {hintText && <div className="order-first col-span-full px-2 pt-2">{hintText}</div>}
        {views.length === 1 ? (
          <div className="col-span-full border-t border-line pt-2">{body}</div>
        ) : (
          <Tabs
            label={label}
            tabs={views.map(({ name }) => ({ value: name, label: name }))}
            value={shown.name}
            onChange={(name) =>
              setQuery({ [param]: name === answered?.name ? '' : slugOf(name) }, { replace: true })
            }
          >
            {body}
          </Tabs>
        )}
      </div>
      {aside !== undefined && (
        <div className="flex min-w-0 flex-col justify-center border-s border-line p-3 max-lg:hidden">
          {aside}
        </div>
      )}
    </Card>
  );
}

const NotCounted = () => (
  <p className="px-6 py-10 text-center text-14 text-ink-3">Not counted together with this filter</p>
);

export const NoRows = ({ children }: { children: ReactNode }) => (
  <p className="px-6 py-10 text-center text-14 text-ink-3">{children}</p>
);
