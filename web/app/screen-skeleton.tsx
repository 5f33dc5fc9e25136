import { Arc } from '#web/ui/arc.tsx';
import { Loading } from '#web/ui/skeleton.tsx';

/** Shown while a screen's code loads. */
export function ScreenSkeleton() {
  return (
    // It is as tall as the window, so that the footer does not jump when the screen loads.
    <div className="min-h-dvh">
      <Loading>
        <Arc motion="loop" className="mx-auto mt-[18vh] size-16 text-ink-3" />
      </Loading>
    </div>
  );
}
