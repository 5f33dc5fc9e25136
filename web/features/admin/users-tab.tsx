import { useState } from 'react';
import type { AdminUser } from '#contract/moderation/admin.ts';
import { PLANS } from '#contract/site.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CursorList, ListFilterBar, type AdminFilter, useListFilters } from './cursor-list.tsx';
import { useModerationDialog } from './moderation-dialog.tsx';
import type { Moderation } from './moderation-scopes.ts';
import { useUsers } from './queries.ts';
import { UserRow } from './user-row.tsx';

const FILTERS: readonly AdminFilter[] = [
  {
    name: 'role',
    label: 'Role',
    any: 'Any role',
    options: { user: 'Members', admin: 'Admins' },
  },
  {
    name: 'plan',
    label: 'Plan',
    any: 'Any plan',
    options: { free: PLANS.free.name, premium: PLANS.premium.name },
  },
  {
    name: 'suspended',
    label: 'Suspension',
    any: 'Suspended or not',
    options: { yes: 'Suspended', no: 'Not suspended' },
  },
];

const COLUMNS = ['User', 'ID', 'Used this cycle', 'URLs created', 'Since', 'Plan'] as const;

/**
 * Lists users with plan and usage. An administrator can change plan and role, reset the usage and
 * suspend a user, and change plan and usage of the selected ones.
 */
export function UsersTab() {
  const filters = useListFilters(FILTERS);
  const [dialog, moderate] = useModerationDialog();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useUsers({ q: filters.q, ...filters.params });
  const shown = query.data?.pages.flatMap(({ users }) => users) ?? [];
  // A user who left the list, for example by a filter, is not changed.
  const chosen = shown.filter(({ user_id }) => selected.has(user_id));
  const select = (ids: readonly string[], isSelected: boolean): void => {
    const next = new Set(selected);
    for (const id of ids) next[isSelected ? 'add' : 'delete'](id);
    setSelected(next);
  };
  return (
    <div className="flex flex-col gap-4">
      <ListFilterBar searchLabel="Search by email or id" filters={FILTERS} list={filters} />
      <CursorList
        query={query}
        rowsOf={(page) => page.users}
        noun="users"
        empty="No users found"
        renderRows={(rows) => (
          <table aria-label="Users" className="w-full border-collapse text-13 max-lg:block">
            <thead className="max-lg:sr-only">
              <tr className="border-b border-line text-12 text-ink-3">
                <th scope="col" className="w-10 ps-4">
                  <input
                    type="checkbox"
                    aria-label="Select all shown"
                    className="block size-4 accent-accent"
                    checked={shown.length > 0 && chosen.length === shown.length}
                    onChange={(event) =>
                      select(
                        shown.map(({ user_id }) => user_id),
                        event.target.checked,
                      )
                    }
                  />
                </th>
                {COLUMNS.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    className="px-2 py-2 text-start font-medium whitespace-nowrap"
                  >
                    {column}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line max-lg:block">{rows}</tbody>
          </table>
        )}
      >
        {(user) => (
          <UserRow
            key={user.user_id}
            user={user}
            selected={selected.has(user.user_id)}
            onSelect={(isSelected) => select([user.user_id], isSelected)}
            onModerate={() => moderate(buildSuspension(user))}
          />
        )}
      </CursorList>
      {chosen.length > 0 && (
        <BulkBar users={chosen} onDone={(failed) => setSelected(new Set(failed))} />
      )}
      {dialog}
    </div>
  );
}

const buildSuspension = ({ user_id, user, suspended }: AdminUser): Moderation => ({
  action: suspended ? 'enable' : 'disable',
  scopes: [{ kind: 'user', userId: user_id }],
  ...(user !== null && { name: user.email }),
});
