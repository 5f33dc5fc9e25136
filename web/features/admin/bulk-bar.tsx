import { useState } from 'react';
import type { AdminUser } from '#contract/moderation/admin.ts';
import { plural } from '#contract/language.ts';
import { PLANS } from '#contract/site.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useAdminActions, type UserAction } from './queries.ts';

type BulkAction = { name: 'update_plan'; plan_type: 'free' | 'premium' } | { name: 'reset_usage' };

/**
 * The actions on the selected users, at the bottom of the window. Each user is changed by a request
 * of their own, so that the log has an entry for each. `onDone` gets the ids that failed.
 */
export function BulkBar({
  users,
  onDone,
}: {
  users: readonly AdminUser[];
  onDone: (failed: string[]) => void;
}) {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const { run, pending } = useAdminActions(onDone);
  const count = plural(users.length, 'user');
  const confirm = (): void => {
    if (asked !== null) run(users.map((user) => actionFor(asked, user)));
    setAsked(null);
  };
  return (
    <section
      aria-label="Selected users"
      aria-busy={pending}
      data-floating-bar=""
      className="sticky bottom-4 z-30 flex flex-wrap items-center gap-2 self-center rounded-lg border border-line bg-raised p-2 ps-4 text-14 shadow-float"
    >
      <p className="me-2 font-medium tabular-nums">{users.length} selected</p>
      {(['premium', 'free'] as const).map((plan_type) => (
        <Button
          key={plan_type}
          size="sm"
          disabled={pending}
          onClick={() => setAsked({ name: 'update_plan', plan_type })}
        >
          Change to {PLANS[plan_type].name}
        </Button>
      ))}
      <Button size="sm" disabled={pending} onClick={() => setAsked({ name: 'reset_usage' })}>
        Reset Usage
      </Button>
      <Button size="sm" variant="ghost" disabled={pending} onClick={() => onDone([])}>
        Clear
      </Button>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked?.name === 'update_plan'
            ? `Change the plan of ${count}?`
            : `Reset the usage of ${count}?`
        }
        action={
          asked?.name === 'update_plan' ? `Change to ${PLANS[asked.plan_type].name}` : 'Reset Usage'
        }
        tone="primary"
        onConfirm={confirm}
      >
        {asked?.name === 'update_plan'
          ? 'Their links stay and keep redirecting.'
          : 'Their usage is set to 0; their links stay.'}
      </ConfirmDialog>
    </section>
  );
}

const actionFor = (asked: BulkAction, { user_id }: AdminUser): UserAction =>
  asked.name === 'update_plan'
    ? { action: 'update_plan', user_id, plan_type: asked.plan_type }
    : { action: 'reset_usage', user_id };
