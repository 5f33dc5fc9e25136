import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { iconButtonClass } from '#web/ui/button.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { Link } from '#web/ui/link.tsx';
import { viewClass } from '#web/ui/selected.ts';
import { areSameFilters, toSearch, type ListFilterState } from './link-filters.ts';
import { useViews } from './view-queries.ts';

const ViewsDialog = lazyPopup(() => import('./views-dialog.tsx').then((m) => m.ViewsDialog));

/** All links and the saved views, as links to the list with their filters, and a button for more. */
export function ViewTabs({ list }: { list: ListFilterState }) {
  const views = useViews();
  const [isOpen, setOpen] = useState(false);
  const tabs = [{ id: 0, name: 'All', filters: {} }, ...(views.data ?? [])];
  return (
    <nav
      aria-label="Views"
      className={clsx(
        'flex min-w-0 flex-1 items-center gap-1 max-lg:basis-full',
        // A single tab is not worth a line of a phone.
        tabs.length === 1 && 'max-sm:hidden',
      )}
    >
      <div className="-my-1 flex min-w-0 items-center gap-1 overflow-x-auto py-1">
        {tabs.map(({ id, name, filters }) => {
          const isCurrent = areSameFilters(filters, list.filters);
          return (
            <Link
              key={id}
              to={`/dashboard${toSearch(filters)}`}
              aria-current={isCurrent ? 'page' : undefined}
              dir="auto"
              className={clsx(
                'inline-flex h-9 max-w-40 shrink-0 items-center rounded-t-md px-2.5 text-14 font-medium -outline-offset-2 pointer-coarse:h-11',
                viewClass(isCurrent),
              )}
            >
              <span className="truncate">{name}</span>
            </Link>
          );
        })}
      </div>
      <button
        type="button"
        aria-label="Save or delete views"
        data-tooltip="Save or delete views"
        className={iconButtonClass}
        onClick={() => setOpen(true)}
      >
        <Plus className="size-4" />
      </button>
      {isOpen && <ViewsDialog list={list} onClose={() => setOpen(false)} />}
    </nav>
  );
}
