import { useEffect, useLayoutEffect, useRef } from 'react';
import { ClickFacts } from '#web/features/welcome/click-facts.tsx';
import { Developers } from '#web/features/welcome/developers.tsx';
import { MovingStrip } from '#web/features/welcome/moving-strip.tsx';
import { PlanCards } from '#web/features/welcome/plan-cards.tsx';
import { PosterScene } from '#web/features/welcome/poster-scene.tsx';
import { PreviewScene } from '#web/features/welcome/preview-scene.tsx';
import { AdSlot } from '#web/shared/plans/ad-slot.tsx';
import { repeatPress } from '#web/shared/page/first-use.ts';
import { ExamplePicture } from './live-picture.tsx';
import { playWhenSeen } from './play-when-seen.ts';

/** What a visitor's Home shows below the form. */
export function HomePitch() {
  const part = useRef<HTMLDivElement>(null);
  useEffect(playWhenSeen, []);
  useLayoutEffect(() => repeatPress(part.current), []);
  return (
    <div ref={part} className="mt-20 space-y-20 sm:mt-28 sm:space-y-28">
      <ExamplePicture />
      <PosterScene />
      <PreviewScene />
      <AdSlot place="home" />
      <ClickFacts />
      <MovingStrip />
      <Developers />
      <PlanCards />
    </div>
  );
}
