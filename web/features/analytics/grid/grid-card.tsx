import { useState, type ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

/** A view of a card. `content` is null if the counts are not stored together with the filter. */
export type CardView = { name: string; content: ReactNode };

/**
 * A card of the grid: heading and tabs in one line, seven rows, and a line that explains the
 * numbers.
 */
export function GridCard({
  title,
  label,
  views,
  hint,
  onClear,
}: {
  title: string;
  /** Names the tabs for screen readers. */
  label: string;
  views: readonly CardView[];
  hint: string;
  /** Removes the filter; absent on a page without filters. */
  onClear?: (() => void) | undefined;
}) {
  const [selected, setSelected] = useState('');
  const shown = views.find(({ name }) => name === selected) ?? views[0];
  if (shown === undefined) return null;
  const body = (
    <div className="lg:min-h-63 lg:pointer-coarse:min-h-81">
      {shown.content ?? (onClear && <NotStored onClear={onClear} />)}
    </div>
  );
  return (
    <Card className="flex flex-col">
      <div className="grid flex-1 grid-cols-1 content-start px-2 pt-1 sm:grid-cols-[auto_minmax(0,1fr)] sm:px-3 [&_[role=tablist]]:sm:justify-self-end [&_[role=tablist]]:border-b-0 [&_[role=tabpanel]]:col-span-full [&_[role=tabpanel]]:border-t [&_[role=tabpanel]]:border-line [&_[role=tabpanel]]:pt-2 [&>[data-orientation]]:contents">
        <h2 className="flex h-10 items-center px-2 text-14 font-medium pointer-coarse:h-11">
          {title}
        </h2>
        {views.length === 1 ? (
          <div className="col-span-full border-t border-line pt-2">{body}</div>
        ) : (
          <Tabs
            label={label}
            tabs={views.map(({ name }) => ({ value: name, label: name }))}
            value={shown.name}
            onChange={setSelected}
          >
            {body}
          </Tabs>
        )}
      </div>
      <p className="px-4 pt-1 pb-3 text-12 text-ink-3 sm:px-5">{hint}</p>
    </Card>
  );
}

/** Shown in place of counts that cannot be filtered. The page explains this beside the filter. */
const NotStored = ({ onClear }: { onClear: () => void }) => (
  <p className="px-6 py-10 text-center text-14 text-ink-3 lg:py-20">
    Not counted together with this filter.{' '}
    <button type="button" onClick={onClear} className="font-medium text-accent hover:underline">
      Show all clicks
    </button>
  </p>
);

export const NoRows = ({ children }: { children: ReactNode }) => (
  <p className="px-6 py-10 text-center lg:py-24 text-14 text-ink-3">{children}</p>
);
