import { Link } from 'react-router-dom';
import { AD_FRAME_PATH, AD_SANDBOX } from '#contract/paths.ts';
import { PLANS, priceText } from '#contract/site.ts';
import { config } from './config.ts';
import { formatNumber } from './format.ts';

/**
 * Runs the ad network's script in a separate document, because a script on this page could read the member's token and link
 * data. The sandbox gives the frame an origin of its own, and `no-referrer` hides this page's path from it.
 */
function NetworkAd() {
  return (
    <iframe
      title="Ad"
      src={AD_FRAME_PATH}
      sandbox={AD_SANDBOX}
      referrerPolicy="no-referrer"
      loading="lazy"
      className="block size-full border-0"
    />
  );
}

/** Shown where no ad network is configured. */
function HousePromotion() {
  return (
    <Link to="/pricing" className="flex size-full items-center justify-between gap-4 px-4 sm:px-5">
      <span className="min-w-0">
        <span className="block text-14 font-medium text-ink">
          {PLANS.premium.name}: {formatNumber(PLANS.premium.monthlyLimit)} links a month
        </span>
        <span className="block text-13 text-ink-3">{priceText(PLANS.premium.price)} a month, cancel anytime</span>
      </span>
      <span className="shrink-0 text-13 font-medium text-accent">Compare plans</span>
    </Link>
  );
}

/** An ad slot, labelled as an ad. Its size is fixed, so the page does not shift when the ad loads. See docs/decisions.md#d25. */
export function AdSlot({
  label = 'Ad',
}: {
  /** Names the slot for screen readers; must differ from that of another slot on the page. */
  label?: string;
}) {
  return (
    <aside
      aria-label={label}
      className="relative mx-auto h-25 w-full max-w-[728px] overflow-hidden rounded-md border border-dashed border-line-strong sm:h-[90px]"
    >
      <span className="absolute top-1 right-2 text-12 text-ink-3">Ad</span>
      {config.ads ? <NetworkAd /> : <HousePromotion />}
    </aside>
  );
}
