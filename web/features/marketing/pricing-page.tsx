import { Check, Minus } from 'lucide-react';
import type { FeatureCell } from '#contract/plan-features.ts';
import { PLANS, type PlanType, priceText } from '#contract/site.ts';
import { shortHost } from '#web/shared/config.ts';
import { IfAvailable } from '#web/shared/if-available.tsx';
import { useSession } from '#web/shared/session.ts';
import { SupportLine } from '#web/shared/support.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { AnalyticsPicture } from './analytics-picture.tsx';
import { Faq } from './faq.tsx';
import { COMPARISON, PLAN_SUMMARIES } from './plan-facts.ts';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { When } from '#web/shared/block.tsx';
import { PlanFeaturesList } from '#web/shared/plan-features-list.tsx';

/** `plan` is the member's; null for a visitor and until it has loaded. */
export function PricingPage({ plan, onUpgrade }: { plan: PlanType | null; onUpgrade: () => void }) {
  return (
    <div className="space-y-14">
      <div>
        <PageHeading
          title="Pricing"
          hint="Start for free and upgrade when you need more links. Your links keep working on either plan."
        />
        <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1.75fr)] md:items-start">
          <OfferCard type="free" isOwn={plan === 'free'} action={<FreeAction />} />
          <OfferCard
            type="premium"
            isOwn={plan === 'premium'}
            action={<PremiumAction plan={plan} onUpgrade={onUpgrade} />}
            picture={<AnalyticsPicture />}
          />
        </div>
      </div>
      <section aria-labelledby="comparison">
        <h2 id="comparison" className="mb-4 text-20 font-semibold tracking-tight">
          Compare plans
        </h2>
        <Comparison />
      </section>
      <section
        aria-labelledby="domains"
        className="grid items-center gap-x-10 gap-y-4 border-y border-line py-5 md:grid-cols-[1fr_16rem]"
      >
        <div>
          <h2 id="domains" className="flex flex-wrap items-center gap-2.5 text-14 font-medium">
            Custom domains <Badge>Coming soon</Badge>
          </h2>
          <p className="mt-1 max-w-[65ch] text-14 text-ink-3">
            You will be able to use short links on your own domain. For now, all short links use one
            domain.
          </p>
        </div>
        <SelectField
          label="Domain"
          hint="The host of every new short URL."
          className="font-mono"
          choices={[[shortHost(), shortHost()]]}
          defaultValue={shortHost()}
        />
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

function Comparison() {
  return (
    <Card>
      <table className="w-full table-fixed border-collapse text-14">
        <caption className="sr-only">What the plans include</caption>
        <thead>
          <tr className="border-b border-line text-13 text-ink-2">
            <th scope="col" className="w-[44%] px-4 py-3 text-start font-medium sm:px-5">
              Feature
            </th>
            <th scope="col" className="py-3 pe-3 text-start font-medium">
              {PLANS.free.name}
            </th>
            <th scope="col" className="py-3 pe-3 text-start font-medium">
              {PLANS.premium.name}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {COMPARISON.map((row) => (
            <IfAvailable key={row.name} feature={row.name}>
              <tr>
                <th
                  scope="row"
                  className="px-4 py-3 text-start align-top font-normal text-ink-2 sm:px-5"
                >
                  {row.name}
                  {row.detail !== undefined && (
                    <p className="mt-0.5 text-13 text-ink-3">{row.detail}</p>
                  )}
                </th>
                <td className="py-3 pe-3 align-top tabular-nums">
                  <ComparisonCell cell={row.free} />
                </td>
                <td className="py-3 pe-3 align-top tabular-nums">
                  <ComparisonCell cell={row.premium} />
                </td>
              </tr>
            </IfAvailable>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function ComparisonCell({ cell }: { cell: FeatureCell }) {
  if (typeof cell === 'string') return <>{cell}</>;
  const Icon = cell ? Check : Minus;
  return (
    <>
      <Icon className={`size-4 ${cell ? 'text-good' : 'text-ink-3'}`} />
      <span className="sr-only">{cell ? 'Included' : 'Not included'}</span>
    </>
  );
}

/** A plan with its price, features and action. `picture` appears below the features of Premium. */
function OfferCard({
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
