import { PLANS } from '#contract/site.ts';
import type { Subscription } from '#contract/plans/plans.ts';
import { formatNumber } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Meter, meterTone } from '#web/ui/meter.tsx';

type Usage = Pick<Subscription, 'plan_type' | 'current_usage' | 'monthly_limit'>;

const TEXT_TONES = { normal: 'text-ink', warn: 'text-warn', bad: 'text-bad' } as const;

export function PlanBadge({ plan }: { plan: Usage }) {
  return (
    <Badge tone={plan.plan_type === 'premium' ? 'accent' : 'neutral'}>
      {PLANS[plan.plan_type].name}
    </Badge>
  );
}

/** Shows '8 of 25 this month'. With `short`, phones only show the numbers. */
export function UsageText({ plan, short = false }: { plan: Usage; short?: boolean }) {
  const tone = meterTone(plan.current_usage, plan.monthly_limit);
  return (
    <>
      <span className={`font-medium tabular-nums ${TEXT_TONES[tone]}`}>
        {formatNumber(plan.current_usage)} of {formatNumber(plan.monthly_limit)}
      </span>{' '}
      <span className={short ? 'text-ink-3 max-sm:sr-only' : 'text-ink-3'}>this month</span>
    </>
  );
}

export function PlanUsage({ plan }: { plan: Usage }) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <PlanBadge plan={plan} />
        <p className="text-14">
          <UsageText plan={plan} />
        </p>
      </div>
      <div className="mt-3">
        <Meter used={plan.current_usage} limit={plan.monthly_limit} />
      </div>
    </>
  );
}

/** Returns when the quota resets, or until when the plan lasts. */
export const resetText = ({ cycle_ends_at, downgrade_at }: Subscription): string =>
  downgrade_at === null
    ? `Resets on ${formatDate(cycle_ends_at)}.`
    : `${PLANS.premium.name} until ${formatDate(downgrade_at)}, then ${PLANS.free.name}.`;
