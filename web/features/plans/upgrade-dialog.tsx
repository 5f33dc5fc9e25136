import { PAGE_SETTINGS } from '#contract/pages/page-templates.ts';
import type { BillingPeriod } from '#contract/plans/currencies.ts';
import { PLANS, type PlanType } from '#contract/site.ts';
import { config } from '#web/shared/page/config.ts';
import { PlanFeaturesList } from '#web/shared/plans/plan-features-list.tsx';
import { PricePicker } from '#web/shared/plans/price-picker.tsx';
import { usePrice, usePriceChoice } from '#web/shared/plans/price.ts';
import { SupportLine } from '#web/shared/plans/support.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useSubscription, useUpgrade } from './queries.ts';
import { RequestError } from '#web/shared/api/api.ts';

function Plan({
  type,
  price,
  period,
  current,
  children,
}: {
  type: PlanType;
  price: string;
  period: BillingPeriod;
  current: boolean;
  children?: React.ReactNode;
}) {
  const plan = PLANS[type];
  return (
    <section
      aria-label={plan.name}
      className={`flex flex-col rounded-lg border p-4 ${type === 'premium' ? 'border-ink max-sm:order-first' : 'border-line'}`}
    >
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-14 font-medium">{plan.name}</h3>
        {current && <Badge>Your plan</Badge>}
      </div>
      <p className="mt-2 text-24 font-semibold tracking-tight tabular-nums">
        {price} <span className="text-13 font-normal tracking-normal text-ink-3">a {period}</span>
      </p>
      <PlanFeaturesList plan={type} className="mt-4 mb-5" />
      <div className="mt-auto">{children}</div>
    </section>
  );
}

/**
 * Shows the plans with the upgrade. A demo upgrade says that it is one; see docs/decisions.md#d9.
 */
export function UpgradeDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const subscription = useSubscription();
  const current = subscription.data?.plan_type ?? 'free';
  const shown = usePrice();
  const period = usePriceChoice()?.period ?? 'month';
  const hasChoice = PAGE_SETTINGS.priceChoice(config);
  const price = shown[period] ?? shown.month;
  const upgrade = useUpgrade((answer) => {
    toast(UPGRADED, answer.demo ? { note: 'This is a demo: nothing was charged.' } : {});
    onClose();
  });
  return (
    <Dialog
      open={open}
      onClose={() => {
        upgrade.reset();
        onClose();
      }}
      title="Choose Your Plan"
      width="reading"
    >
      {hasChoice && (
        <div className="mb-4">
          <PricePicker />
        </div>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <Plan type="free" price={shown.free} period={period} current={current === 'free'} />
        <Plan type="premium" price={price} period={period} current={current === 'premium'}>
          {current === 'free' ? (
            <Button
              variant="primary"
              className="w-full"
              disabled={subscription.isPending}
              pending={upgrade.isPending}
              onClick={() =>
                upgrade.mutate(hasChoice ? { currency: shown.currency, period, price } : {})
              }
            >
              Upgrade to {PLANS.premium.name}
            </Button>
          ) : (
            <LinkButton to="/settings/plan" className="w-full" onClick={onClose}>
              Manage plan
            </LinkButton>
          )}
        </Plan>
      </div>
      {upgrade.isError && (
        <div className="mt-4">
          <Notice tone="bad">{describeUpgradeError(upgrade.error)}</Notice>
        </div>
      )}
      <p className="mt-4 text-13 text-ink-3">
        {config.billing === 'demo'
          ? 'This is a demo: the upgrade takes effect at once and nothing is charged.'
          : `Billed ${period}ly, cancel anytime. Your links keep working on either plan.`}
      </p>
      <SupportLine className="mt-1" />
    </Dialog>
  );
}

const UPGRADED = 'Successfully upgraded to Premium!';
const NO_MESSAGE = 'Payment integration required. Please contact support for manual upgrade.';
const NO_RESPONSE = 'Payment system not yet integrated. Please contact support for manual upgrade.';

/** Returns the message for a failed upgrade: the server's, or a default if there is none. */
export function describeUpgradeError(cause: unknown): string {
  if (!(cause instanceof RequestError)) return NO_RESPONSE;
  return cause.body.error ?? (cause.status === 0 ? NO_RESPONSE : NO_MESSAGE);
}
