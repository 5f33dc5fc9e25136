import { useId, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { PLANS } from '#contract/site.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/format.ts';
import { useSession } from '#web/shared/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Link } from '#web/ui/link.tsx';
import { Meter } from '#web/ui/meter.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { CursorList, ListFilterBar, type AdminFilter, useListFilters } from './cursor-list.tsx';
import { useModerationDialog } from './moderation-dialog.tsx';
import type { Moderation } from './moderation-scopes.ts';
import { useAdminAction, useUsers } from './queries.ts';

const PLAN_NAMES = { free: PLANS.free.name, premium: PLANS.premium.name };
const FILTERS: readonly AdminFilter[] = [
  {
    name: 'role',
    label: 'Role',
    any: 'Any role',
    options: { user: 'Members', admin: 'Admins' },
  },
  { name: 'plan', label: 'Plan', any: 'Any plan', options: PLAN_NAMES },
  {
    name: 'suspended',
    label: 'Suspension',
    any: 'Suspended or not',
    options: { yes: 'Suspended', no: 'Not suspended' },
  },
];

/**
 * Lists users with plan and usage. An administrator can change plan and role, reset the usage and
 * suspend the user.
 */
export function UsersTab() {
  const filters = useListFilters(FILTERS);
  const [dialog, moderate] = useModerationDialog();
  const query = useUsers({ q: filters.q, ...filters.params });
  return (
    <div className="flex flex-col gap-4">
      <ListFilterBar searchLabel="Search by email or id" filters={FILTERS} list={filters} />
      <CursorList query={query} rowsOf={(page) => page.users} noun="users" empty="No users found">
        {(user) => (
          <UserRow
            key={user.user_id}
            user={user}
            onModerate={() => moderate(buildSuspension(user))}
          />
        )}
      </CursorList>
      {dialog}
    </div>
  );
}

const buildSuspension = ({ user_id, user, suspended }: AdminUser): Moderation => ({
  action: suspended ? 'enable' : 'disable',
  scopes: [{ kind: 'user', user_id }],
  ...(user !== null && { name: user.email }),
});

function UserRow({ user, onModerate }: { user: AdminUser; onModerate: () => void }) {
  const session = useSession();
  const { act, running } = useAdminAction();
  const [confirming, setConfirming] = useState<'reset' | 'import' | 'role' | null>(null);
  const name = user.user?.email ?? 'Unknown';
  const isOwn = session.status === 'member' && session.id === user.user_id;
  const lastAdminId = useId();
  return (
    <li className="grid min-w-0 gap-x-6 gap-y-3 px-4 py-4 sm:px-5 sm:grid-cols-[minmax(0,1fr)_13rem] sm:items-center lg:grid-cols-[minmax(0,1fr)_13rem_22rem]">
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <span className="max-w-full truncate" data-tooltip={name}>
            {name}
          </span>
          <Badge tone={user.plan_type === 'premium' ? 'accent' : 'neutral'}>
            {PLANS[user.plan_type].name}
          </Badge>
          {user.role === 'admin' && <Badge>Admin</Badge>}
          {user.suspended && <Badge tone="bad">Suspended</Badge>}
        </p>
        <p className="mt-0.5 text-13 text-ink-3">
          <span className="font-mono" data-tooltip={user.user_id}>
            {user.user_id.slice(0, 8)}
          </span>{' '}
          ·{' '}
          <Link
            className="hover:text-ink hover:underline"
            to={`/admin?tab=urls&owner=${user.user_id}`}
          >
            {plural(user.actual_url_count, 'URL')} created
          </Link>{' '}
          · <span className="whitespace-nowrap">since {formatDate(user.created_at)}</span>
        </p>
      </div>
      <div className="min-w-0">
        <p className="mb-1.5 text-13 text-ink-2 tabular-nums">
          {formatNumber(user.current_usage)}/{formatNumber(user.monthly_limit)} used this cycle
        </p>
        <Meter used={user.current_usage} limit={user.monthly_limit} />
      </div>
      <div className="flex flex-wrap gap-2 *:max-sm:flex-auto sm:col-span-2 sm:grid sm:grid-cols-2 md:flex lg:col-span-1 lg:grid">
        <div className="max-sm:flex-[1_1_8rem]! md:w-40 lg:w-auto">
          <SelectField
            label={`Plan of ${name}`}
            hideLabel
            choices={Object.entries(PLAN_NAMES)}
            // The control is not disabled while it saves, because that would take the focus away.
            value={running?.action === 'update_plan' ? running.plan_type : user.plan_type}
            onSelect={(value) =>
              act({
                action: 'update_plan',
                user_id: user.user_id,
                plan_type: value === 'premium' ? 'premium' : 'free',
              })
            }
          />
        </div>
        <Button
          onClick={() => setConfirming('reset')}
          pending={running?.action === 'reset_usage'}
          aria-label={`Reset Usage of ${name}`}
        >
          Reset Usage
        </Button>
        {user.plan_type === 'premium' && (
          <Button
            onClick={() => setConfirming('import')}
            pending={running?.action === 'renew_import'}
            aria-label={`Renew import of ${name}`}
          >
            Renew import
          </Button>
        )}
        <Button
          onClick={() => setConfirming('role')}
          pending={running?.action === 'set_role'}
          disabled={user.last_admin}
          aria-label={`${roleAction(user)}: ${name}`}
          aria-describedby={user.last_admin ? lastAdminId : undefined}
        >
          {roleAction(user)}
        </Button>
        {/* Administrators could not lift their own suspension. The server also enforces this. */}
        {!isOwn && (
          <Button
            onClick={onModerate}
            aria-label={`${user.suspended ? 'Lift suspension' : 'Suspend user'}: ${name}`}
          >
            {user.suspended ? 'Lift suspension' : 'Suspend user'}
          </Button>
        )}
        {user.last_admin && (
          <p id={lastAdminId} className="basis-full text-13 text-ink-3 sm:col-span-2">
            The last administrator keeps the role. Make someone else an administrator first.
          </p>
        )}
      </div>
      <ConfirmDialog
        open={confirming === 'reset'}
        onClose={() => setConfirming(null)}
        title="Reset usage?"
        action="Reset Usage"
        onConfirm={() => {
          setConfirming(null);
          act({ action: 'reset_usage', user_id: user.user_id });
        }}
      >
        {name} has used {formatNumber(user.current_usage)} of {formatNumber(user.monthly_limit)}{' '}
        links. Their usage is set to 0; their links stay.
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === 'import'}
        onClose={() => setConfirming(null)}
        title="Renew import allowance?"
        action="Renew import"
        onConfirm={() => {
          setConfirming(null);
          act({ action: 'renew_import', user_id: user.user_id });
        }}
      >
        {name} can again import {formatNumber(PLANS.premium.importedLinks)} links from other
        services on top of the monthly quota.
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === 'role'}
        onClose={() => setConfirming(null)}
        title={`${roleAction(user)}?`}
        action={roleAction(user)}
        tone={user.role === 'admin' ? 'danger' : 'primary'}
        onConfirm={() => {
          setConfirming(null);
          act({
            action: 'set_role',
            user_id: user.user_id,
            role: user.role === 'admin' ? 'user' : 'admin',
          });
        }}
      >
        {describeRoleChange(user.role, name, isOwn)}
      </ConfirmDialog>
    </li>
  );
}

const roleAction = ({ role }: AdminUser): string =>
  role === 'admin' ? 'Remove administrator' : 'Make administrator';

function describeRoleChange(role: AdminUser['role'], name: string, isOwn: boolean): string {
  if (role === 'user')
    return `${name} will see every user, link and report, and can change plans, suspend users, publish posts and make others administrators.`;
  return isOwn
    ? 'You lose access to the admin area at once. Only another administrator can give it back.'
    : `${name} loses access to the admin area at once. The setting ADMIN_EMAILS does not give it back; an administrator can.`;
}
