import { useState } from 'react';
import type { Subscription } from '#contract/plans.ts';
import { PLANS } from '#contract/site.ts';
import { toast } from '#web/ui/announcer.ts';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { DowngradeDialog } from './downgrade-dialog.tsx';
import { PlanUsage, resetText } from './plan-usage.tsx';
import { useCancelDowngrade, useSubscription } from './queries.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';

const { free, premium } = PLANS;

/** The plan in the settings: usage, upgrade, downgrade, and cancelling a planned downgrade. */
export function PlanPanel() {
  const query = useSubscription();
  const [dialog, setDialog] = useState<'upgrade' | 'downgrade' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <Panel
      title="Plan"
      hint={query.data === undefined ? 'Your plan and its usage.' : resetText(query.data)}
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
        <ErrorLine message="Your plan could not be loaded." query={query} />
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
