import { useLayoutEffect, useRef, useState } from 'react';
import { AD_SANDBOX, adFramePath, type AdPlace } from '#contract/pages/paths.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { PLANS } from '#contract/site.ts';
import { When } from '#web/shared/page/block.tsx';
import { useSession } from '#web/shared/session/session.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { Link } from '#web/ui/link.tsx';

/**
 * Runs the ad network's script in a separate document, because a script on this page could read the
 * member's token and link data. The sandbox gives the frame an opaque origin, and `no-referrer`
 * hides this page's path from it.
 */
function NetworkAd({ place }: { place: AdPlace }) {
  return (
    <iframe
      title="Ad"
      src={adFramePath(place)}
      sandbox={AD_SANDBOX}
      referrerPolicy="no-referrer"
      loading="lazy"
      className="block size-full border-0"
    />
  );
}

/** A place with our own promotion. A new link is not followed by one. */
type PromotionPlace = Exclude<AdPlace, 'result'>;
const PROMOTIONS: Readonly<Record<PromotionPlace, string>> = {
  home: 'See which sites and cities send your clicks',
  analytics: 'See the cities and sites behind your clicks',
};

/** Shown if the ad network has no ad unit. */
function HousePromotion({ place }: { place: PromotionPlace }) {
  return (
    <Link
      to="/pricing"
      className="flex size-full items-center justify-between gap-4 rounded-md border border-line px-4 sm:px-5"
    >
      <div className="min-w-0">
        <p className="text-14 font-medium text-ink">{PROMOTIONS[place]}</p>
        <p className="text-13 text-ink-3">Part of {PLANS.premium.name}, which has no ads</p>
      </div>
      <p className="shrink-0 text-13 font-medium text-accent">Compare plans</p>
    </Link>
  );
}

/** The slot is as high as the label (20 px) and the ad: 728 by 90 px, and 100 px high on phones. */
const sizeClass = 'h-30 w-full max-w-[728px] sm:h-[110px]';

/** True if the user may see ads. Null for a member until their plan has loaded. */
function useSeesAds(): boolean | null {
  const session = useSession();
  const { me } = useMe();
  if (session.status === 'visitor') return true;
  return me === null ? null : !planIncludes(me.plan, 'noAds');
}

/**
 * An ad slot, labeled as an ad, for everyone whose plan has ads (docs/decisions.md#d25). Its space
 * is reserved from the start, unless the plan is known to have no ads, so that nothing moves when
 * the plan or the ad loads.
 */
export function AdSlot({
  place,
  label = 'Ad',
}: {
  place: AdPlace;
  /** Names the slot for screen readers; must be unique on the page. */
  label?: string;
}) {
  const seesAds = useSeesAds();
  const [takesSpace, setTakesSpace] = useState(seesAds !== false);
  const empty = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const isBelowWindow =
      empty.current !== null && empty.current.getBoundingClientRect().top >= window.innerHeight;
    if (seesAds === false && isBelowWindow) setTakesSpace(false);
  }, [seesAds]);
  if (!takesSpace) return null;
  if (seesAds !== true) return <div ref={empty} aria-hidden="true" className={sizeClass} />;
  return (
    <aside aria-label={label} className={`flex flex-col ${sizeClass}`}>
      <span className="h-5 shrink-0 text-12 text-ink-3">Ad</span>
      <div className="min-h-0 flex-1">
        <When
          setting={`${place}Ad`}
          otherwise={place === 'result' ? null : <HousePromotion place={place} />}
        >
          <NetworkAd place={place} />
        </When>
      </div>
    </aside>
  );
}

/** The ad below a new link: of the ad network only. The page's other ad is labeled 'Ad'. */
export const ResultAd = () => (
  <When setting="resultAd">
    <AdSlot place="result" label="Ad below your short URL" />
  </When>
);
