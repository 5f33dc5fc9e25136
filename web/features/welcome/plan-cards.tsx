import { PLANS, QUOTA_FACTOR, type PlanType } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { usePrice } from '#web/shared/plans/price.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';
import { sectionTitleClass } from './home-section.tsx';

function Plan({
  type,
  line,
  children,
}: {
  type: PlanType;
  line: string;
  children: React.ReactNode;
}) {
  const plan = PLANS[type];
  return (
    <div className="flex flex-col gap-5 bg-surface p-5 sm:p-6">
      <div>
        <h3 className="text-14 font-medium">{plan.name}</h3>
        <p className="mt-2 text-32 font-semibold tracking-tight tabular-nums">
          {formatNumber(plan.monthlyLimit)}{' '}
          <span className="text-16 font-normal tracking-normal text-ink-3">links a month</span>
        </p>
        <p className="mt-1 text-14 text-ink-2">{line}</p>
      </div>
      <div className="mt-auto">{children}</div>
    </div>
  );
}

export function PlanCards() {
  const price = usePrice();
  return (
    <section id="plans" aria-labelledby="plans-title" className="scroll-mt-20">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="plans-title" className={sectionTitleClass}>
          Start free
        </h2>
        <p className="text-14">
          <Link to="/pricing" className={textLinkClass}>
            Compare plans
          </Link>
        </p>
      </div>
      <div className="mt-6 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
        <Plan type="free" line={`${price.free}. Aliases, basic analytics and QR codes included.`}>
          <LinkButton to="/auth?tab=sign-up" variant="primary">
            Sign up for free
          </LinkButton>
        </Plan>
        <Plan
          type="premium"
          line={`${price.month} a month, ${QUOTA_FACTOR} the free quota. Cancel anytime and keep your links.`}
        >
          <LinkButton to="/pricing">View Premium</LinkButton>
        </Plan>
      </div>
    </section>
  );
}
