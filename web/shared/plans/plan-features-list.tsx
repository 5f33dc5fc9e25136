import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { PLAN_HIGHLIGHTS } from '#contract/plans/plan-features.ts';
import type { PlanType } from '#contract/site.ts';
import { IfAvailable } from './if-available.tsx';

export const PlanFeaturesList = ({ plan, className }: { plan: PlanType; className?: string }) => (
  <ul className={clsx('gap-x-6 space-y-2.5 text-14', className)}>
    {PLAN_HIGHLIGHTS[plan].map(({ name, detail }) => (
      <IfAvailable key={name} feature={name}>
        <li className="flex break-inside-avoid items-start gap-2.5">
          <Check className="mt-0.5 size-4 shrink-0 text-good" />
          <div>
            {name}
            {detail !== undefined && <p className="text-13 text-ink-3">{detail}</p>}
          </div>
        </li>
      </IfAvailable>
    ))}
  </ul>
);
