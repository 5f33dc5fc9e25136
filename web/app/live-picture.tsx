import { Suspense } from 'react';
import { WhenNear } from '#web/shared/page/when-near.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { loadOnline } from '#web/ui/load-online.ts';

const LiveClicks = lazyOr(
  () =>
    loadOnline(() => import('#web/features/live-clicks/live-clicks.tsx').then((m) => m.LiveClicks)),
  () => (
    <ErrorLine
      message="The latest clicks could not be loaded."
      query={{ refetch: () => window.location.reload(), isManual: true }}
    />
  ),
);
/** Shows nothing if the code does not load. */
const Example = lazyOr(() =>
  import('#web/features/live-clicks/live-clicks-example.tsx').then((m) => m.LiveClicksExample),
);

/** As high as the picture without clicks, so that what is below it hardly moves. */
const SPACE = 'min-h-92 sm:min-h-104 lg:min-h-109 print:hidden';
/**
 * As high as the example with its list, so that nothing below it moves. The map is as wide as the
 * window up to 1024 px, and wider from 1536 px.
 */
const EXAMPLE_SPACE =
  'min-h-[calc(30.5rem+40.4vw)] sm:min-h-[calc(20.75rem+40.4vw)] lg:min-h-155 2xl:min-h-188 print:hidden';

/** The clicks of the last minutes on the member's links, on a map of the world. */
export const LivePicture = (props: {
  domain: string | null;
  countries: Readonly<Record<string, number>>;
  countriesNote: string;
  onFirstClick?: () => void;
}) => (
  <WhenNear className={SPACE}>
    <Suspense fallback={null}>
      <LiveClicks {...props} />
    </Suspense>
  </WhenNear>
);

/** The same picture with example data. Its code loads when it comes near the screen. */
export const ExamplePicture = () => (
  <WhenNear className={EXAMPLE_SPACE}>
    <Suspense fallback={null}>
      <Example />
    </Suspense>
  </WhenNear>
);
