import { plural } from '#contract/language.ts';
import type { UsedQuota } from '#contract/site.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Meter, meterTone } from '#web/ui/meter.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { PlanBadge, UsageText, resetText } from './plan-usage.tsx';
import { FALLBACK_SUBSCRIPTION, useSubscription } from './queries.ts';

/**
 * True if the plan needs a separate card, because much of the quota is used up or the usage could
 * not be loaded. Otherwise the dashboard shows it beside the statistics.
 */
export function useNeedsPlanCard(): boolean {
  const { data, errorUpdateCount } = useSubscription();
  // While a failed query loads again it has no error, and the card must stay where it is.
  return data === undefined ? errorUpdateCount > 0 : isNearlyUsed(data);
}

const isNearlyUsed = (plan: UsedQuota): boolean =>
  meterTone(plan.current_usage, plan.monthly_limit) !== 'normal';

/**
 * Shows the member's plan, usage, the day on which the quota resets, and a way to another plan, in
 * one line, and a second one when more than 70 % of the quota is used.
 */
export function SubscriptionCard({ onUpgrade }: { onUpgrade: () => void }) {
  const query = useSubscription();
  const plan = query.data ?? (query.isError ? FALLBACK_SUBSCRIPTION : undefined);
  if (plan === undefined) return <SubscriptionSkeleton />;
  const reset = query.data === undefined ? 'Your links keep working.' : resetText(query.data);
  const nearlyUsed = isNearlyUsed(plan);
  return (
    <Card>
      <section
        aria-label="Your subscription"
        className="flex items-center gap-3 py-1 ps-3 pe-1.5 text-13 sm:ps-4"
      >
        <h2 className="sr-only">Your plan</h2>
        <PlanBadge plan={plan} />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-3">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              <UsageText plan={plan} short />
            </p>
            <div className="min-w-4 flex-1 sm:max-w-64">
              <Meter used={plan.current_usage} limit={plan.monthly_limit} />
            </div>
            {!nearlyUsed && <p className="ms-auto text-ink-3 max-sm:sr-only">{reset}</p>}
          </div>
          {nearlyUsed && (
            <p className="mt-0.5 text-ink-2">
              {leftText(plan)} <span className="max-sm:sr-only">{reset}</span>
            </p>
          )}
        </div>
        <PlanAction plan={plan} onUpgrade={onUpgrade} />
      </section>
      {query.isError && (
        <div className="px-3 pt-1 pb-3 sm:px-4">
          <ErrorLine message="Your usage could not be loaded." query={query} />
        </div>
      )}
    </Card>
  );
}

function leftText(plan: UsedQuota): string {
  const left = plan.monthly_limit - plan.current_usage;
  return left > 0
    ? `You can create ${plural(left, 'more link', 'more links')}.`
    : 'You have used all links of your plan.';
}

/** The plan as one cell of the dashboard's strip, at most 56 px high beside the statistics. */
export function PlanCell({ onUpgrade }: { onUpgrade: () => void }) {
  const { data } = useSubscription();
  if (data === undefined)
    return (
      <div className="flex h-13 items-center gap-3 px-3 sm:px-4">
        <Skeleton className="h-5 w-11 rounded-full!" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-8 w-20" />
      </div>
    );
  return (
    <section
      aria-label="Your subscription"
      className="flex h-13 items-center gap-3 ps-3 pe-1.5 sm:ps-4"
    >
      <h2 className="sr-only">Your plan</h2>
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2 text-13 whitespace-nowrap">
          <PlanBadge plan={data} />
          <span className="truncate">
            <UsageText plan={data} short />
          </span>
        </p>
        <div className="mt-0.5 flex items-center gap-2 text-12 text-ink-3">
          <div className="min-w-8 flex-1">
            <Meter used={data.current_usage} limit={data.monthly_limit} />
          </div>
          <p className="truncate">{resetText(data)}</p>
        </div>
      </div>
      <PlanAction plan={data} onUpgrade={onUpgrade} />
    </section>
  );
}

function PlanAction({
  plan,
  onUpgrade,
}: {
  plan: { plan_type: 'free' | 'premium' };
  onUpgrade: () => void;
}) {
  return plan.plan_type === 'free' ? (
    <VanishingButton size="sm" onClick={onUpgrade}>
      Upgrade
    </VanishingButton>
  ) : (
    <LinkButton to="/settings/plan" size="sm">
      Manage plan
    </LinkButton>
  );
}

function SubscriptionSkeleton() {
  return (
    <Card className="flex h-10.5 items-center gap-3 ps-3 pe-1.5 sm:ps-4 pointer-coarse:h-13.5">
      <Skeleton className="h-5 w-11 rounded-full!" />
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-1.5 flex-1 sm:max-w-64" />
      <Skeleton className="ms-auto h-8 w-20 pointer-coarse:h-11" />
    </Card>
  );
}
