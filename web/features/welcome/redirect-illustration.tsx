import { shortHost } from '#web/shared/config.ts';

/** An illustration of a redirect: a short link, an arc, and the long URL. */
export function RedirectIllustration() {
  return (
    <figure className="overflow-hidden">
      <svg viewBox="0 0 1000 150" fill="none" preserveAspectRatio="none" aria-hidden="true" className="h-24 w-full sm:h-36">
        <path
          d="M5 146C90 40 270 5 500 5s410 35 495 141"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray="2 7"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="text-line-strong"
        />
      </svg>
      <div className="-mt-1.5 flex justify-between" aria-hidden="true">
        <span className="size-3 rounded-full bg-ink" />
        <span className="size-3 rounded-full bg-accent" />
      </div>
      <figcaption className="mt-4 grid gap-x-8 gap-y-5 sm:grid-cols-3">
        <div className="min-w-0">
          <p className="truncate font-mono text-16 font-medium">
            <span className="text-ink-3">{shortHost()}/</span>spring-sale
          </p>
          <p className="mt-1 text-14 text-ink-2">The link you print, post or say.</p>
        </div>
        <div className="min-w-0 sm:text-center">
          <p className="text-16 font-medium">One redirect</p>
          <p className="mt-1 text-14 text-ink-2">Answered by a server near your visitor. No interstitial page, no cookies.</p>
        </div>
        <div className="min-w-0 sm:text-right">
          <p className="truncate font-mono text-16 font-medium text-accent">shop.example/c/2026/spring/tea?ref=…</p>
          <p className="mt-1 text-14 text-ink-2">Your target. Change it at any time.</p>
        </div>
      </figcaption>
    </figure>
  );
}
