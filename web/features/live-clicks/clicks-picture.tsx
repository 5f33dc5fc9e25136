import { useId, useState, type ReactNode } from 'react';
import { formatNumber, wordFor } from '#contract/language.ts';
import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { Button } from '#web/ui/button.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { ClicksCanvas } from './clicks-canvas.tsx';
import { ClicksList } from './clicks-list.tsx';
import { countClicks, describeClicks } from './describe-clicks.ts';
import type { Shown } from './start-picture.ts';

/**
 * A band across the page with the world, on which clicks hop from their country to the link, with
 * numbers beside it and a list under it.
 */
export function ClicksPicture({
  title,
  hint,
  shown,
  complete,
  isOwn,
  children,
}: {
  title: string;
  hint: ReactNode;
  shown: Shown;
  /** False if there may be more clicks than those shown. */
  complete: boolean;
  /** Whether these are clicks on the reader's own links. */
  isOwn: boolean;
  /** Replaces the list if there are no clicks. */
  children?: ReactNode;
}) {
  const heading = useId();
  const isReduced = useMedia('(prefers-reduced-motion: reduce)');
  const [paused, setPaused] = useState(false);
  const [moves, setMoves] = useState(false);
  const [replays, setReplays] = useState(0);
  const canPause = moves && !paused;
  const { clicks } = shown;
  return (
    <section aria-labelledby={heading} className="full-bleed py-6 print:hidden">
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[10rem_minmax(0,1fr)] 2xl:-mx-40">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 lg:flex-col lg:justify-start">
          <div className="min-w-0">
            <h2
              id={heading}
              className={isOwn ? 'text-16 font-medium' : 'text-24 font-semibold tracking-tight'}
            >
              {title}
            </h2>
            <p className={`text-13 text-ink-3 ${isOwn ? 'mt-0.5' : 'mt-2'}`}>{hint}</p>
          </div>
          <Numbers clicks={clicks} complete={complete} />
          {!isReduced && clicks.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              className="lg:-ms-3"
              onClick={() => {
                setPaused(canPause);
                if (!canPause) setReplays(replays + 1);
              }}
            >
              {canPause ? 'Pause' : 'Play again'}
            </Button>
          )}
        </div>
        <ClicksCanvas
          shown={shown}
          still={paused || isReduced}
          replays={replays}
          onMove={setMoves}
        />
      </div>
      <div className="mt-4">
        <p className="sr-only">{describeClicks(clicks, complete)}</p>
        {clicks.length > 0 ? <ClicksList clicks={clicks} isOwn={isOwn} /> : children}
      </div>
    </section>
  );
}

/**
 * Without clicks the numbers keep their space and are empty, because the sentence below says it.
 */
function Numbers({ clicks, complete }: { clicks: readonly LiveClick[]; complete: boolean }) {
  const counted = countClicks(clicks);
  return (
    <dl className={`flex gap-6 lg:flex-col lg:gap-3 ${clicks.length === 0 ? 'invisible' : ''}`}>
      {[
        { count: counted.clicks, label: wordFor(counted.clicks, 'Click') },
        { count: counted.countries, label: wordFor(counted.countries, 'Country', 'Countries') },
        { count: counted.links, label: wordFor(counted.links, 'Link') },
      ].map(({ count, label }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-13 text-ink-3">{label}</dt>
          <dd className="text-24 font-semibold tracking-tight tabular-nums lg:text-32">
            <span dir="ltr">
              {formatNumber(count)}
              {!complete && '+'}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
