import type { ReactNode } from 'react';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine, type Retry } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/**
 * What an account has, as a list in a card. If a reload failed, a line above the card says so.
 * `skeleton` is what shows while the list loads: rows of bars with these sizes.
 */
export function SettingsList<Item>({
  query,
  items,
  noun,
  skeleton,
  empty,
  children,
}: {
  query: Retry & { isError: boolean };
  /** Undefined until they have loaded. */
  items: readonly Item[] | undefined;
  /** What the list contains, as messages name it: 'API keys'. */
  noun: string;
  skeleton: { rows: number; bars: readonly string[] };
  empty?: ReactNode;
  children: (item: Item) => ReactNode;
}) {
  const failure = `We couldn’t load your ${noun}.`;
  return (
    <>
      {query.isError && items !== undefined && (
        <div className="mb-4">
          <ErrorLine message={failure} query={query} />
        </div>
      )}
      <Card>
        {items === undefined && query.isError && <FailedState title={failure} query={query} />}
        {items === undefined && !query.isError && (
          <Loading label={`Loading your ${noun}…`}>
            <div className="divide-y divide-line">
              {Array.from({ length: skeleton.rows }, (_, row) => (
                <div key={row} className="space-y-2.5 px-4 py-4 sm:px-5">
                  {skeleton.bars.map((bar) => (
                    <Skeleton key={bar} className={bar} />
                  ))}
                </div>
              ))}
            </div>
          </Loading>
        )}
        {items?.length === 0 && empty}
        {items !== undefined && items.length > 0 && (
          <ul className="divide-y divide-line">{items.map(children)}</ul>
        )}
      </Card>
    </>
  );
}

/** An item of the list: its name and badges, details (`children`), a line of facts, an action. */
export function SettingsListItem({
  name,
  badges,
  facts,
  action,
  children,
  below,
}: {
  name: string;
  badges: ReactNode;
  facts: readonly (string | false | null)[];
  action: ReactNode;
  children?: ReactNode;
  below?: ReactNode;
}) {
  return (
    <li className="px-4 py-3.5 sm:px-5">
      <div className={`flex gap-3 ${children === undefined ? 'items-center' : 'items-start'}`}>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-14 font-medium [overflow-wrap:anywhere]">{name}</h2>
            {badges}
          </div>
          {children}
          <p className={`text-13 text-ink-3 ${children === undefined ? 'mt-1' : 'mt-2'}`}>
            {facts.filter(Boolean).join(' · ')}
          </p>
        </div>
        {action}
      </div>
      {below}
    </li>
  );
}

/** The labels of an item, such as the scopes of a key. `children` are more of them. */
export const BadgeList = ({
  label,
  names,
  children,
}: {
  label: string;
  names: readonly string[];
  children?: ReactNode;
}) => (
  <ul className="mt-2 flex flex-wrap gap-1.5" aria-label={label}>
    {names.map((name) => (
      <li key={name}>
        <Badge>{name}</Badge>
      </li>
    ))}
    {children}
  </ul>
);
