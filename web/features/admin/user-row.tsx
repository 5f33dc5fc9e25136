import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '#contract/moderation/admin.ts';
import { PLANS } from '#contract/site.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { useSession } from '#web/shared/session/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Select } from '#web/ui/input.tsx';
import { Link } from '#web/ui/link.tsx';
import { Menu } from '#web/ui/menu.tsx';
import type { MenuItem } from '#web/ui/menu-popup.tsx';
import { Meter } from '#web/ui/meter.tsx';
import { useAdminAction } from './queries.ts';

export const PLAN_CHOICES = [
  ['free', PLANS.free.name],
  ['premium', PLANS.premium.name],
] as const;

const LAST_ADMIN =
  'The last administrator keeps the role. Make someone else an administrator first.';

/** A row of the users, 44 px high. Below 1024 px it is a block of three lines. */
export function UserRow({
  user,
  selected,
  onSelect,
  onModerate,
}: {
  user: AdminUser;
  selected: boolean;
  onSelect: (selected: boolean) => void;
  onModerate: () => void;
}) {
  const session = useSession();
  const { act, running } = useAdminAction();
  const [confirming, setConfirming] = useState<'reset' | 'import' | 'role' | null>(null);
  const name = nameOf(user);
  const isOwn = session.status === 'member' && session.id === user.user_id;
  const items: MenuItem[] = [
    { label: 'Reset Usage', onSelect: () => setConfirming('reset') },
    ...(user.plan_type === 'premium'
      ? [{ label: 'Renew import', onSelect: () => setConfirming('import') }]
      : []),
    {
      label: roleAction(user),
      onSelect: () => setConfirming('role'),
      ...(user.last_admin && { disabled: LAST_ADMIN }),
    },
    // Administrators could not lift their own suspension. The server also enforces this.
    ...(isOwn
      ? []
      : [
          {
            label: user.suspended ? 'Lift suspension' : 'Suspend user',
            danger: !user.suspended,
            onSelect: onModerate,
          },
        ]),
  ];
  return (
    <tr className="h-11 max-lg:flex max-lg:h-auto max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1 max-lg:px-3 max-lg:py-2.5 lg:[&>td]:px-2">
      <td className="lg:ps-4!">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          className="block size-4 accent-accent"
          checked={selected}
          onChange={(event) => onSelect(event.target.checked)}
        />
      </td>
      <td className="max-lg:min-w-0 max-lg:flex-1 max-lg:basis-[calc(100%-8rem)] lg:w-full lg:max-w-0">
        <span className="flex min-w-0 items-center gap-x-2 gap-y-0.5 text-14 max-lg:flex-wrap font-medium">
          <span className="min-w-0 truncate" data-tooltip={name}>
            {name}
          </span>
          <Badge tone={user.plan_type === 'premium' ? 'accent' : 'neutral'}>
            {PLANS[user.plan_type].name}
          </Badge>
          {user.role === 'admin' && <Badge>Admin</Badge>}
          {user.suspended && <Badge tone="bad">Suspended</Badge>}
        </span>
      </td>
      <td className="font-mono text-ink-3 max-lg:order-2 max-lg:ms-7">
        <span data-tooltip={user.user_id}>{user.user_id.slice(0, 8)}</span>
      </td>
      <td className="max-sm:ms-7 max-sm:min-w-24 max-sm:flex-1 max-lg:order-3 sm:max-lg:ms-auto sm:max-lg:w-56 lg:min-w-36">
        <span className="flex items-center gap-2 whitespace-nowrap tabular-nums">
          <span className="min-w-11">
            {`${formatNumber(user.current_usage)}/${formatNumber(user.monthly_limit)}`}
          </span>
          <Meter used={user.current_usage} limit={user.monthly_limit} />
        </span>
      </td>
      <td className="whitespace-nowrap max-lg:order-2">
        <Link
          className="inline-flex items-center hover:text-ink hover:underline pointer-coarse:min-h-11"
          to={`/admin?tab=urls&owner=${user.user_id}`}
        >
          {plural(user.actual_url_count, 'URL')}
        </Link>
      </td>
      <td className="whitespace-nowrap text-ink-3 max-lg:order-2">{formatDate(user.created_at)}</td>
      <td className="max-lg:order-3 lg:min-w-34">
        <Select
          aria-label={`Plan of ${name}`}
          className="max-lg:w-30!"
          choices={PLAN_CHOICES}
          // The control is not disabled while it saves, because that would take the focus away.
          value={running?.action === 'update_plan' ? running.plan_type : user.plan_type}
          onSelect={(value) => {
            const plan_type = value === 'premium' ? 'premium' : 'free';
            const change = { action: 'update_plan', user_id: user.user_id } as const;
            act({ ...change, plan_type }, { ...change, plan_type: user.plan_type });
          }}
        />
      </td>
      <td className="max-lg:order-1 lg:pe-3!">
        <Menu label={`More actions for ${name}`} items={items}>
          <Ellipsis className="size-4" />
        </Menu>
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
      </td>
    </tr>
  );
}

const nameOf = ({ user }: AdminUser): string => user?.email ?? 'Unknown';

const roleAction = ({ role }: AdminUser): string =>
  role === 'admin' ? 'Remove administrator' : 'Make administrator';

function describeRoleChange(role: AdminUser['role'], name: string, isOwn: boolean): string {
  if (role === 'user')
    return `${name} will see every user, link and report, and can change plans, suspend users, publish posts and make others administrators.`;
  return isOwn
    ? 'You lose access to the admin area at once. Only another administrator can give it back.'
    : `${name} loses access to the admin area at once. The setting ADMIN_EMAILS does not give it back; an administrator can.`;
}
