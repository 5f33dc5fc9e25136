import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { PLANS, priceText } from '#contract/site.ts';
import { config } from './config.ts';

const NETWORK = 'https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js';

declare global {
  interface Window {
    adsbygoogle?: object[];
  }
}

function loadNetwork(client: string): void {
  const src = `${NETWORK}?client=${encodeURIComponent(client)}`;
  if (document.querySelector(`script[src="${src}"]`) !== null) return;
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  script.crossOrigin = 'anonymous';
  document.head.append(script);
}

function NetworkAd({ client }: { client: string }) {
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    loadNetwork(client);
    window.adsbygoogle ??= [];
    window.adsbygoogle.push({});
  }, [client]);
  return <ins className="adsbygoogle block size-full" data-ad-client={client} />;
}

/** What stands where no ad network is set up. */
function HousePromotion() {
  return (
    <Link to="/pricing" className="flex size-full items-center justify-between gap-4 px-4 sm:px-5">
      <span className="min-w-0">
        <span className="block text-14 font-medium text-ink">
          {PLANS.premium.name}: {PLANS.premium.monthlyLimit.toLocaleString('en')} links a month
        </span>
        <span className="block text-13 text-ink-3">{priceText(PLANS.premium.price)} a month, cancel anytime</span>
      </span>
      <span className="shrink-0 text-13 font-medium text-accent">Compare plans</span>
    </Link>
  );
}

/** One ad of fixed size, so that nothing moves when it fills, and labelled as one (decision 25). */
export function AdSlot() {
  return (
    <aside
      aria-label="Ad"
      className="relative mx-auto h-25 w-full max-w-[728px] overflow-hidden rounded-md border border-dashed border-line-strong sm:h-[90px]"
    >
      <span className="absolute top-1 right-2 text-12 text-ink-3">Ad</span>
      {config.adsClient === '' ? <HousePromotion /> : <NetworkAd client={config.adsClient} />}
    </aside>
  );
}
