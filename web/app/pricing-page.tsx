import { Suspense, useState } from 'react';
import type { PlanType } from '#contract/site.ts';
import { PricingPage as Pricing } from '#web/features/marketing/pricing-page.tsx';
import { PLAN_FAILED } from '#web/shared/plans/plans.ts';
import { useSession } from '#web/shared/session/session.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';

const PricingMember = lazyOr(
  () => import('./pricing-member.tsx').then((m) => m.PricingMember),
  LoadError,
);

function LoadError() {
  return (
    <div className="mb-6">
      <ErrorLine
        message={PLAN_FAILED}
        query={{ refetch: () => window.location.reload(), isManual: true }}
      />
    </div>
  );
}

export function PricingPage() {
  const member = useSession().status === 'member';
  const [plan, setPlan] = useState<PlanType | null>(null);
  const [upgrading, setUpgrading] = useState(false);
  return (
    <>
      {member && (
        <Suspense fallback={null}>
          <PricingMember
            upgrading={upgrading}
            onPlan={setPlan}
            onClose={() => setUpgrading(false)}
          />
        </Suspense>
      )}
      <Pricing plan={member ? plan : null} onUpgrade={() => setUpgrading(true)} />
    </>
  );
}
