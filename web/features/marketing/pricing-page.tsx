import { PLANS, QUOTA_FACTOR, type PlanType } from '#contract/site.ts';
import { useSession } from '#web/shared/session/session.ts';
import { SupportLine } from '#web/shared/plans/support.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { Buyers } from './buyers.tsx';
import { PlanComparison } from './plan-comparison.tsx';
import { Faq } from './faq.tsx';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { When } from '#web/shared/page/block.tsx';
import { PricePicker } from '#web/shared/plans/price-picker.tsx';
import { usePrice, usePriceChoice } from '#web/shared/plans/price.ts';
import { PlanFeaturesList } from '#web/shared/plans/plan-features-list.tsx';

const PLAN_SUMMARIES: Readonly<Record<PlanType, string>> = {
  free: 'For your own links, and for trying everything that counts.',
  premium: `For links that are part of your work: ${QUOTA_FACTOR} the free quota, and reports that say where clicks come from.`,
};

/** `plan` is the member's; null for a visitor and until it has loaded. */
export function PricingPage({ plan, onUpgrade }: { plan: PlanType | null; onUpgrade: () => void }) {
  return (
    <div className="space-y-14">
      <div>
        <PageHeading
          title="Pricing"
          hint="Start for free and upgrade when you need more links. Your links keep working on either plan."
        />
        <When setting="priceChoice">
          <div className="mb-4">
            <PricePicker />
          </div>
        </When>
        <div className="grid gap-4 md:grid-cols-2">
          <OfferCard type="free" isOwn={plan === 'free'} action={<FreeAction />} />
          <OfferCard
            type="premium"
            isOwn={plan === 'premium'}
            action={<PremiumAction plan={plan} onUpgrade={onUpgrade} />}
          />
        </div>
      </div>
      <section aria-labelledby="buyers">
        <h2 id="buyers" className="mb-4 text-20 font-semibold tracking-tight">
          What people upgrade for
        </h2>
        <Buyers />
      </section>
      <section aria-labelledby="comparison">
        <h2 id="comparison" className="mb-4 text-20 font-semibold tracking-tight">
          Compare plans
        </h2>
        <PlanComparison />
      </section>
      <section aria-labelledby="faq">
        <h2 id="faq" className="mb-4 text-20 font-semibold tracking-tight">
          Frequently asked questions
        </h2>
        <Faq />
        <SupportLine lead="Any other question?" className="mt-4" />
      </section>
    </div>
  );
}

const ACTION = { size: 'lg', className: 'w-full' } as const;

function FreeAction() {
  return useSession().status === 'member' ? (
    <LinkButton to="/dashboard" {...ACTION}>
      Go to My URLs
    </LinkButton>
  ) : (
    <LinkButton to="/auth?tab=sign-up" {...ACTION}>
      Sign up for free
    </LinkButton>
  );
}

function PremiumAction({ plan, onUpgrade }: { plan: PlanType | null; onUpgrade: () => void }) {
  if (useSession().status !== 'member')
    return (
      <LinkButton to="/auth?tab=sign-up" variant="primary" {...ACTION}>
        Sign up to upgrade
      </LinkButton>
    );
  if (plan === 'premium')
    return (
      <LinkButton to="/settings" {...ACTION}>
        Manage plan
      </LinkButton>
    );
  return (
    // Disabled until the plan has loaded, so that a Premium member is not offered an upgrade.
    <VanishingButton variant="primary" disabled={plan === null} onClick={onUpgrade} {...ACTION}>
      Upgrade to {PLANS.premium.name}
    </VanishingButton>
  );
}

function OfferCard({ type, isOwn, action }: { type: PlanType; isOwn: boolean; action: ReactNode }) {
  const isPaid = type === 'premium';
  return (
    <Card
      className={clsx(
        'flex flex-col p-5 sm:p-6',
        isPaid ? 'border-ink outline outline-ink' : 'bg-transparent',
      )}
    >
      <h2 className="flex items-center justify-between gap-3 text-16 font-semibold">
        {PLANS[type].name} {isOwn && <Badge>Your plan</Badge>}
      </h2>
      <PlanPrice isPaid={isPaid} />
      <p className="mt-4 text-14 text-ink-2 md:min-h-[3lh] lg:min-h-[2lh]">
        {PLAN_SUMMARIES[type]}
      </p>
      <div className="mt-5">{action}</div>
      <p className="mt-6 text-13 font-medium">
        {isPaid ? `Everything in ${PLANS.free.name}, and:` : 'Included:'}
      </p>
      <PlanFeaturesList plan={type} className="mt-3" />
    </Card>
  );
}

function PlanPrice({ isPaid }: { isPaid: boolean }) {
  const price = usePrice();
  const chosen = usePriceChoice()?.period ?? 'month';
  const period = isPaid && price.year !== null ? chosen : 'month';
  const amount = isPaid ? (price[period] ?? price.month) : price.free;
  return (
    <>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="text-48 font-semibold tracking-tight tabular-nums">{amount}</span>{' '}
        <span className="text-14 text-ink-3">per {period}</span>
      </p>
      <p className="mt-1 text-13 text-ink-3">
        {isPaid ? `Billed ${period}ly, cancel anytime` : 'Free forever, no card required'}
        {isPaid && period === 'year' && price.saving !== null && (
          <span className="text-good">, {price.saving} less than by month</span>
        )}
      </p>
    </>
  );
}
