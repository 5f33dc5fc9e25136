import { useState } from 'react';
import type { DowngradeRequest, Subscription } from '#contract/plans/plans.ts';
import { PLANS } from '#contract/site.ts';
import { PLAN_FAILED } from '#web/shared/plans/plans.ts';
import { toast } from '#web/ui/announcer.ts';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { PlanUsage, resetText } from './plan-usage.tsx';
import { useCancelDowngrade, useDowngrade, useSubscription } from './queries.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { Form } from '#web/ui/form.tsx';
import { RadioOption } from '#web/ui/radio-option.tsx';

const { free, premium } = PLANS;

/** The plan in the settings: usage, upgrade, downgrade, and canceling a planned downgrade. */
export function PlanPanel() {
  const query = useSubscription();
  const [dialog, setDialog] = useState<'upgrade' | 'downgrade' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <Panel
      title="This month"
      hint={query.data === undefined ? 'Your usage.' : resetText(query.data)}
    >
      {query.data !== undefined && (
        <>
          <PlanUsage plan={query.data} />
          <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
            <PlanActions plan={query.data} onOpen={setDialog} />
          </div>
          <DowngradeDialog open={dialog === 'downgrade'} plan={query.data} onClose={close} />
        </>
      )}
      {query.isPending && (
        <Loading label="Loading your plan…">
          <Skeleton className="h-5 w-full" />
          <Skeleton className="mt-3 h-1.5 w-full" />
          <Skeleton className="mt-4 h-9 w-40 pointer-coarse:h-11" />
        </Loading>
      )}
      {query.isError && query.data === undefined && (
        <ErrorLine message={PLAN_FAILED} query={query} />
      )}
      <UpgradeDialog open={dialog === 'upgrade'} onClose={close} />
    </Panel>
  );
}

function PlanActions({
  plan,
  onOpen,
}: {
  plan: Subscription;
  onOpen: (dialog: 'upgrade' | 'downgrade') => void;
}) {
  const cancel = useCancelDowngrade(() => toast(`You keep ${premium.name}.`));
  if (plan.plan_type === 'free')
    return (
      <VanishingButton onClick={() => onOpen('upgrade')}>Upgrade to {premium.name}</VanishingButton>
    );
  if (plan.downgrade_at === null)
    return (
      <VanishingButton onClick={() => onOpen('downgrade')}>
        Downgrade to {free.name}…
      </VanishingButton>
    );
  return (
    <>
      <VanishingButton pending={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
        Keep {premium.name}
      </VanishingButton>
      <p className="min-w-0 flex-1 basis-60 text-13 text-ink-2">
        You can change your mind until then. Your links stay and keep redirecting.
      </p>
      <ErrorText className="basis-full">{cancel.error?.message}</ErrorText>
    </>
  );
}

function DowngradeDialog({
  open,
  plan,
  onClose,
}: {
  open: boolean;
  plan: Subscription;
  onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={`Downgrade to ${free.name}?`}>
      <DowngradeForm plan={plan} onClose={onClose} />
    </Dialog>
  );
}

function DowngradeForm({ plan, onClose }: { plan: Subscription; onClose: () => void }) {
  const [when, setWhen] = useState<DowngradeRequest['when']>('cycle_end');
  const end = formatDate(plan.cycle_ends_at);
  const downgrade = useDowngrade(({ subscription }) => {
    const until = subscription.downgrade_at;
    toast(
      until === null
        ? `You are on ${free.name}.`
        : `You are on ${premium.name} until ${formatDate(until)}.`,
    );
    onClose();
  });
  return (
    <Form
      error={downgrade.error}
      className="flex flex-col gap-5"
      onSubmit={() => downgrade.mutate({ when })}
    >
      <fieldset className="m-0 flex flex-col gap-1 border-0 p-0">
        <legend className="mb-2 text-13 font-medium">When?</legend>
        <RadioOption
          name="when"
          checked={when === 'cycle_end'}
          onSelect={() => setWhen('cycle_end')}
          label="At the end of the cycle"
          hint={`You keep ${premium.name} until ${end}, and can change your mind until then.`}
        />
        <RadioOption
          name="when"
          checked={when === 'now'}
          onSelect={() => setWhen('now')}
          label="Now"
          hint={quotaHint(plan.current_usage, end)}
        />
      </fieldset>
      <ul className="list-disc space-y-1 ps-5 text-14 text-ink-2">
        <li>Your links stay and keep redirecting. Their clicks are still counted.</li>
        <li>
          You can create {formatNumber(free.monthlyLimit)} links a month instead of{' '}
          {formatNumber(premium.monthlyLimit)}.
        </li>
        <li>You lose what only {premium.name} includes, such as shortening many links at once.</li>
      </ul>
      <DialogActions error={downgrade.error?.message}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={downgrade.isPending}>
          Downgrade to {free.name}
        </Button>
      </DialogActions>
    </Form>
  );
}

/**
 * Says how much free quota remains after an immediate downgrade. The usage of the current cycle
 * stays.
 */
function quotaHint(used: number, end: string): string {
  const left = free.monthlyLimit - used;
  return left > 0
    ? `You have ${plural(left, 'link')} left until ${end}.`
    : `You have already created ${plural(used, 'link')} this month, so you can create the next one on ${end}.`;
}
