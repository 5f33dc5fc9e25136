import { Check, Minus } from 'lucide-react';
import { PLAN_HIGHLIGHTS, type FeatureCell } from '#contract/plan-features.ts';
import type { ReactNode } from 'react';
import { PLANS, priceText, type PlanType } from '#contract/site.ts';
import { config, shortHost } from '#web/shared/config.ts';
import { availableFeatures } from '#web/shared/plans.ts';
import { useSession } from '#web/shared/session.ts';
import { SupportLine } from '#web/shared/support.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Select } from '#web/ui/input.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { Faq } from './faq.tsx';
import { comparison, PLAN_SUMMARIES } from './plan-facts.ts';

const PAID_NOTE = `Billed monthly, cancel anytime${config.billing === 'demo' ? '. This is a demo: nothing is charged' : ''}`;

/** `plan` is the member's; null for a visitor and until it has loaded. */
export function PricingPage({ plan, onUpgrade }: { plan: PlanType | null; onUpgrade: () => void }) {
  return (
    <div className="space-y-14">
      <div>
        <PageHeading
          title="Pricing"
          hint="Start for free and upgrade when you need more links. Your links keep working on either plan."
        />
        <div className="grid gap-4 md:grid-cols-2">
          <OfferCard type="free" plan={plan}>
            <FreeAction />
          </OfferCard>
          <OfferCard type="premium" plan={plan}>
            <PremiumAction plan={plan} onUpgrade={onUpgrade} />
          </OfferCard>
        </div>
      </div>
      <section aria-labelledby="comparison">
        <h2 id="comparison" className="mb-4 text-20 font-semibold tracking-tight">
          Compare plans
        </h2>
        <Comparison />
      </section>
      <section aria-labelledby="domains" className="grid gap-x-10 gap-y-4 md:grid-cols-[1fr_20rem]">
        <div>
          <h2 id="domains" className="flex flex-wrap items-center gap-2.5 text-20 font-semibold tracking-tight">
            Custom domains <Badge>Coming soon</Badge>
          </h2>
          <p className="mt-2 max-w-[60ch] text-16 leading-7 text-ink-2">
            You will be able to use short links on your own domain. For now, all short links use one domain.
          </p>
        </div>
        <Field label="Domain" hint="The host of every new short link.">
          {(control) => (
            <Select {...control} className="font-mono" defaultValue={shortHost()}>
              <option value={shortHost()}>{shortHost()}</option>
            </Select>
          )}
        </Field>
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
    // Disabled until the plan is known: a Premium member would otherwise be offered an upgrade.
    <VanishingButton variant="primary" disabled={plan === null} onClick={onUpgrade} {...ACTION}>
      Upgrade to {PLANS.premium.name}
    </VanishingButton>
  );
}

function OfferCard({ type, plan: current, children }: { type: PlanType; plan: PlanType | null; children: ReactNode }) {
  const plan = PLANS[type];
  const isPaid = plan.price > 0;
  return (
    <Card className="flex flex-col p-5 sm:p-6">
      <h2 className="flex items-center justify-between gap-3 text-16 font-semibold">
        {plan.name}
        {current === type && <Badge>Your plan</Badge>}
      </h2>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="text-48 font-semibold tracking-tight tabular-nums">{priceText(plan.price)}</span>
        <span className="text-14 text-ink-3">per month</span>
      </p>
      <p className="mt-1 text-13 text-ink-3">{isPaid ? PAID_NOTE : 'Free forever, no card required'}</p>
      <p className="mt-4 text-14 text-ink-2">{PLAN_SUMMARIES[type]}</p>
      <ul className="mt-4 mb-6 space-y-2 text-14">
        {availableFeatures(PLAN_HIGHLIGHTS[type]).map(({ name, detail }) => (
          <li key={name} className="flex items-start gap-2.5">
            <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden="true" />
            <span>
              {name}
              {detail !== undefined && <span className="block text-13 text-ink-3">{detail}</span>}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-auto">{children}</div>
    </Card>
  );
}

function Comparison() {
  return (
    <Card>
      <table className="w-full table-fixed border-collapse text-14">
        <caption className="sr-only">What the plans include</caption>
        <thead>
          <tr className="border-b border-line text-13 text-ink-2">
            <th scope="col" className="w-[44%] px-4 py-3 text-left font-medium sm:px-5">
              Feature
            </th>
            <th scope="col" className="py-3 pr-3 text-left font-medium">
              {PLANS.free.name}
            </th>
            <th scope="col" className="py-3 pr-3 text-left font-medium">
              {PLANS.premium.name}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {comparison().map((row) => (
            <tr key={row.name}>
              <th scope="row" className="px-4 py-3 text-left align-top font-normal text-ink-2 sm:px-5">
                {row.name}
                {row.detail !== undefined && <span className="mt-0.5 block text-13 text-ink-3">{row.detail}</span>}
              </th>
              <td className="py-3 pr-3 align-top tabular-nums">
                <ComparisonCell cell={row.free} />
              </td>
              <td className="py-3 pr-3 align-top tabular-nums">
                <ComparisonCell cell={row.premium} />
              </td>
            </tr>
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
      <Icon className={`size-4 ${cell ? 'text-good' : 'text-ink-3'}`} aria-hidden="true" />
      <span className="sr-only">{cell ? 'Included' : 'Not included'}</span>
    </>
  );
}
