import { Lock } from 'lucide-react';
import { FEATURES } from '#contract/plan-features.ts';
import { PLANS } from '#contract/site.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

const { name, detail } = FEATURES.advancedAnalytics;

/**
 * Says what the plan does not include. `onUpgrade` is null for administrators, who cannot upgrade
 * the owner here.
 */
export function LockedPanel({ onUpgrade }: { onUpgrade: (() => void) | null }) {
  return (
    <Card className="flex flex-col justify-center px-4 py-4 sm:px-5">
      <div className="relative flex flex-wrap items-center gap-x-4 gap-y-3 sm:ps-8">
        <Lock className="absolute inset-s-0 top-0.5 size-4 text-ink-3 max-sm:hidden" />
        <section aria-label={name} className="min-w-0 flex-1 basis-64">
          <h2 className="text-14 font-medium">{name}</h2>
          <p className="mt-0.5 text-13 text-ink-3">
            {detail}{' '}
            {onUpgrade === null
              ? 'The plan of this link’s owner does not include them.'
              : `With ${PLANS.premium.name} you see them for past clicks, too.`}
          </p>
        </section>
        {onUpgrade !== null && <Button onClick={onUpgrade}>Upgrade to {PLANS.premium.name}</Button>}
      </div>
    </Card>
  );
}
