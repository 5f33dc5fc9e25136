import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Meter } from '#web/ui/meter.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { PlanBadge, UsageText, resetText } from './plan-usage.tsx';
import { FALLBACK_SUBSCRIPTION, useSubscription } from './queries.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

/**
 * Shows the member's plan, usage, the day on which the quota resets, and a way to another plan, in
 * one line. Phones have no room for the day, but the settings show it.
 */
export function SubscriptionCard({ onUpgrade }: { onUpgrade: () => void }) {
  const query = useSubscription();
  const plan = query.data ?? (query.isError ? FALLBACK_SUBSCRIPTION : undefined);
  if (plan === undefined) return <SubscriptionSkeleton />;
  return (
    <Card>
      <section
        aria-label="Your subscription"
        className="flex min-h-9.5 items-center gap-3 ps-3 pe-1 text-13 sm:ps-4"
      >
        <h2 className="sr-only">Your plan</h2>
        <PlanBadge plan={plan} />
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <UsageText plan={plan} short />
        </p>
        <div className="min-w-4 flex-1 sm:max-w-64">
          <Meter used={plan.current_usage} limit={plan.monthly_limit} />
        </div>
        <p className="ms-auto text-ink-3 max-sm:sr-only">
          {query.data === undefined ? 'Your links keep working.' : resetText(query.data)}
        </p>
        {plan.plan_type === 'free' ? (
          <VanishingButton size="sm" onClick={onUpgrade}>
            Upgrade
          </VanishingButton>
        ) : (
          <LinkButton to="/settings" size="sm">
            Manage plan
          </LinkButton>
        )}
      </section>
      {query.isError && (
        <div className="px-3 pt-1 pb-3 sm:px-4">
          <ErrorLine message="Your usage could not be loaded." query={query} />
        </div>
      )}
    </Card>
  );
}

function SubscriptionSkeleton() {
  return (
    <Card className="flex h-10 items-center gap-3 ps-3 pe-1 sm:ps-4 pointer-coarse:h-11.5">
      <Skeleton className="h-5 w-11 rounded-full!" />
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-1.5 flex-1 sm:max-w-64" />
      <Skeleton className="ms-auto h-8 w-20 pointer-coarse:h-11" />
    </Card>
  );
}
