import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { LANDING } from './draw-picture.ts';
import { startPicture, type Picture, type Shown } from './start-picture.ts';

/**
 * The world with an arc from the country of each click to the link, whose short URL stands below
 * the point where arcs land. Screen readers get the numbers and the list instead.
 */
export function ClicksCanvas({
  shown,
  still,
  replays,
  onMove,
}: {
  shown: Shown;
  still: boolean;
  /** How often the clicks were asked to hop again. */
  replays: number;
  onMove: (moves: boolean) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | null>(null);
  const [landed, setLanded] = useState<LiveClick | null>(null);
  const start = useEffectEvent((element: HTMLCanvasElement): Picture => {
    const started = startPicture(element, { still, onLand: setLanded, onMove });
    started.show(shown);
    return started;
  });
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const started = start(canvas.current);
    picture.current = started;
    return () => {
      picture.current = null;
      started.stop();
    };
  }, []);
  useEffect(() => picture.current?.show(shown), [shown]);
  useEffect(() => picture.current?.setStill(still), [still]);
  useEffect(() => {
    if (replays > 0) picture.current?.replay();
  }, [replays]);
  return (
    // The world is never mirrored.
    <div dir="ltr" aria-hidden="true" className="relative max-sm:-mx-4 max-sm:mb-7">
      <canvas
        ref={canvas}
        className="block aspect-[1000/404] w-full border-0 border-sunken fill-landing stroke-line-strong text-ink forced-colors:border-[Canvas] forced-colors:fill-[Highlight] forced-colors:stroke-[GrayText]"
      />
      {landed !== null && (
        <p
          style={{ left: `${LANDING.x * 100}%`, top: `${LANDING.y * 100}%` }}
          className="absolute mt-3 max-w-[56%] -translate-x-1/2 truncate rounded-full border border-line bg-surface px-2.5 py-0.5 font-mono text-12 sm:text-13"
        >
          {readableUrl(landed.shortUrl)}
        </p>
      )}
    </div>
  );
}
