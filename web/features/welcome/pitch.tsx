import type { ReactNode } from 'react';
import { ALIAS_MAX } from '#contract/limits.ts';
import { ClickFacts } from './click-facts.tsx';
import { PlanCards } from './plan-cards.tsx';
import { AliasSample, PreviewSample } from './samples.tsx';

function Feature({
  id,
  title,
  sample,
  children,
}: {
  id: string;
  title: string;
  sample: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="grid items-center gap-x-12 gap-y-6 md:grid-cols-2">
      <div>
        <h2 id={id} className="text-24 font-semibold tracking-tight sm:text-32">
          {title}
        </h2>
        <p className="mt-2 max-w-[46ch] text-16 text-ink-2">{children}</p>
      </div>
      <div
        className="flex min-h-40 items-center justify-center overflow-hidden rounded-lg border border-line bg-surface p-5"
        aria-hidden="true"
      >
        {sample}
      </div>
    </section>
  );
}

/**
 * The marketing part of a visitor's Home: three features, the data stored about a click, and the
 * plans. `ad` appears between them. `sources` is a sample list of Analytics.
 */
export function Pitch({ ad, sources }: { ad: ReactNode; sources: ReactNode }) {
  return (
    <div className="mt-20 space-y-20 sm:mt-28 sm:space-y-28">
      <div className="space-y-16">
        <Feature
          id="pitch-sources"
          title="Where clicks come from"
          sample={<div className="w-full max-w-96">{sources}</div>}
        >
          See the days, countries and devices behind every click; Premium adds cities, browsers,
          hours and the sites that sent them. Each click counts once, and bots are kept apart.
        </Feature>
        <Feature id="pitch-alias" title="Choose your own ending" sample={<AliasSample />}>
          Up to {ALIAS_MAX} letters, digits, hyphens and underscores instead of a random code.
          Nobody else can ever take it, even if you delete the link.
        </Feature>
        <Feature id="pitch-preview" title="Check before you click" sample={<PreviewSample />}>
          Add a + to any short URL to read its destination before you open it. A preview never
          counts as a click.
        </Feature>
      </div>

      {ad}

      <ClickFacts />
      <PlanCards />
    </div>
  );
}
