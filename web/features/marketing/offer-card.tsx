import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { PLANS, priceText, type PlanType } from '#contract/site.ts';
import { When } from '#web/shared/block.tsx';
import { PlanFeaturesList } from '#web/shared/plan-features-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { PLAN_SUMMARIES } from './plan-facts.ts';

/** A plan with its price, features and action. `picture` appears below the features of Premium. */
export function OfferCard({
  type,
  isOwn,
  action,
  picture,
}: {
  type: PlanType;
  isOwn: boolean;
  action: ReactNode;
  picture?: ReactNode;
}) {
  const plan = PLANS[type];
  const isPaid = plan.price > 0;
  return (
    <Card
      className={clsx(
        'flex flex-col p-5 sm:p-6',
        isPaid ? 'border-ink outline outline-ink' : 'bg-transparent',
      )}
    >
      <h2 className="flex items-center justify-between gap-3 text-16 font-semibold">
        {plan.name} {isOwn && <Badge>Your plan</Badge>}
      </h2>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="text-48 font-semibold tracking-tight tabular-nums">
          {priceText(plan.price)}
        </span>{' '}
        <span className="text-14 text-ink-3">per month</span>
      </p>
      <p className="mt-1 text-13 text-ink-3">
        {isPaid ? 'Billed monthly, cancel anytime' : 'Free forever, no card required'}
        {isPaid && <When setting="demo">. This is a demo: nothing is charged</When>}
      </p>
      <p className="mt-4 text-14 text-ink-2">{PLAN_SUMMARIES[type]}</p>
      <div className="mt-5">{action}</div>
      <p className="mt-6 text-13 font-medium">
        {isPaid ? `Everything in ${PLANS.free.name}, and:` : 'Included:'}
      </p>
      <PlanFeaturesList plan={type} className={clsx('mt-3', isPaid && 'lg:columns-2')} />
      {picture !== undefined && <div className="mt-6">{picture}</div>}
    </Card>
  );
}
