import { PLANS } from '#contract/site.ts';
import { formatDate, formatNumber } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Meter, meterTone } from '#web/ui/meter.tsx';
import { FALLBACK_SUBSCRIPTION, useSubscription } from './queries.ts';
import { SubscriptionSkeleton } from './subscription-skeleton.tsx';

const TEXT_TONES = { normal: 'text-ink', warn: 'text-warn', bad: 'text-bad' } as const;

/** The member's plan, its usage, the day on which the quota resets, and the upgrade button. */
export function SubscriptionCard({ onUpgrade }: { onUpgrade: () => void }) {
  const query = useSubscription();
  const plan = query.data ?? (query.isError ? FALLBACK_SUBSCRIPTION : undefined);
  if (plan === undefined) return <SubscriptionSkeleton />;
  const tone = meterTone(plan.current_usage, plan.monthly_limit);
  return (
    <Card className="px-4 py-4 sm:px-5">
      <section aria-label="Your subscription">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="text-14 font-medium">Your plan</h2>
          <Badge tone={plan.plan_type === 'premium' ? 'accent' : 'neutral'}>{PLANS[plan.plan_type].name}</Badge>
          <p className="ml-auto text-14 tabular-nums">
            <span className={`font-medium ${TEXT_TONES[tone]}`}>
              {formatNumber(plan.current_usage)} of {formatNumber(plan.monthly_limit)}
            </span>{' '}
            <span className="text-ink-3">
              <span className="max-sm:hidden">links </span>this month
            </span>
          </p>
        </div>
        <div className="mt-3">
          <Meter used={plan.current_usage} limit={plan.monthly_limit} />
        </div>
        <div className="mt-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2 text-13 text-ink-3">
          <p>{query.data === undefined ? 'Your links keep working.' : `Resets on ${formatDate(query.data.cycle_ends_at)}.`}</p>
          {plan.plan_type === 'free' && (
            <Button size="sm" onClick={onUpgrade}>
              Upgrade
            </Button>
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
