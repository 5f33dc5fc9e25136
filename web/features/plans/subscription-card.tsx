import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { PlanUsage, resetText } from './plan-usage.tsx';
import { FALLBACK_SUBSCRIPTION, useSubscription } from './queries.ts';
import { SubscriptionSkeleton } from './subscription-skeleton.tsx';

/** The member's plan, its usage, the day on which the quota resets, and the way to another plan. */
export function SubscriptionCard({ onUpgrade }: { onUpgrade: () => void }) {
  const query = useSubscription();
  const plan = query.data ?? (query.isError ? FALLBACK_SUBSCRIPTION : undefined);
  if (plan === undefined) return <SubscriptionSkeleton />;
  return (
    <Card className="px-4 py-4 sm:px-5">
      <section aria-label="Your subscription">
        <PlanUsage plan={plan} heading="Your plan" />
        <div className="mt-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2 text-13 text-ink-3">
          <p>{query.data === undefined ? 'Your links keep working.' : resetText(query.data)}</p>
          {plan.plan_type === 'free' ? (
            <VanishingButton size="sm" onClick={onUpgrade}>
              Upgrade
            </VanishingButton>
          ) : (
            <LinkButton to="/settings" size="sm">
              Manage plan
            </LinkButton>
          )}
        </div>
      </section>
      {query.isError && (
        <div className="mt-3">
          <ErrorLine message="Your usage could not be loaded." retrying={query.isFetching} onRetry={() => void query.refetch()} />
        </div>
      )}
    </Card>
  );
}
