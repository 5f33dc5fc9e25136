import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { drawArcs, drawWorld, heightFor, type Colors, type Scene } from './draw-picture.ts';
import {
  FLIGHT_MS,
  keyClicks,
  nextFrameIn,
  planFlights,
  REST_AFTER_MS,
  type Flight,
} from './flights.ts';

/** What the picture shows: the clicks, and the numbers of clicks by country as dots. */
export type Shown = { clicks: readonly LiveClick[]; countries: Readonly<Record<string, number>> };

export type Picture = {
  /** Draws these clicks. New ones are animated, unless the picture is still. */
  show: (shown: Shown) => void;
  /** Stops all movement: arcs are drawn where they land. Otherwise new clicks hop again. */
  setStill: (still: boolean) => void;
  /** Lets all clicks hop again. */
  replay: () => void;
  stop: () => void;
};

const PIXELS_MAX = 2;

/**
 * Draws clicks on a canvas while it is in view, and asks for frames only while something moves.
 * `onLand` is called with each click whose arc lands, `onMove` when movement starts or ends.
 */
export function startPicture(
  canvas: HTMLCanvasElement,
  {
    still,
    onLand,
    onMove,
  }: { still: boolean; onLand: (click: LiveClick) => void; onMove: (moves: boolean) => void },
): Picture {
  let shown: Shown = { clicks: [], countries: {} };
  let known = new Set<string>();
  let waiting: LiveClick[] = [];
  let flights: Flight[] = [];
  let isStill = still;
  let isInView = false;
  let isMoving = false;
  let drawnAt = 0;
  let world: HTMLCanvasElement | null = null;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isVisible = (): boolean => isInView && document.visibilityState === 'visible';

  const draw = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    if (!isVisible()) return;
    const now = performance.now();
    if (waiting.length > 0 && !isStill) flights.push(...planFlights(waiting, now));
    // The first one is the newest.
    else if (waiting[0] !== undefined) onLand(waiting[0]);
    waiting = [];
    for (const { click, startAt } of flights)
      if (startAt + FLIGHT_MS <= now && startAt + FLIGHT_MS > drawnAt) onLand(click);
    drawnAt = now;
    flights = flights.filter(({ startAt }) => now < startAt + FLIGHT_MS + REST_AFTER_MS);
    paint(now);
    const wait = nextFrameIn(flights, now);
    setMoving(wait !== null);
    if (wait === 0) frame = requestAnimationFrame(draw);
    else if (wait !== null) timer = setTimeout(draw, wait);
  };

  const setMoving = (moves: boolean): void => {
    if (moves === isMoving) return;
    isMoving = moves;
    onMove(moves);
  };

  const paint = (now: number): void => {
    const context = canvas.getContext('2d');
    const width = canvas.clientWidth;
    if (context === null || width === 0) return;
    const height = heightFor(width);
    const ratio = Math.min(PIXELS_MAX, window.devicePixelRatio);
    const inAir = new Set(flights.map(({ click }) => click));
    const scene: Scene = {
      width,
      height,
      colors: colorsOf(canvas),
      countries: shown.countries,
      resting: shown.clicks.filter((click) => !inAir.has(click)),
      flights,
      now,
      time: Date.now(),
    };
    const [pixelsX, pixelsY] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (world === null) {
      world = document.createElement('canvas');
      Object.assign(world, { width: pixelsX, height: pixelsY });
      const under = world.getContext('2d');
      under?.scale(ratio, ratio);
      if (under !== null) drawWorld(under, scene);
      Object.assign(canvas, { width: pixelsX, height: pixelsY });
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, pixelsX, pixelsY);
    context.drawImage(world, 0, 0);
    context.scale(ratio, ratio);
    drawArcs(context, scene);
  };

  /** Draws everything again, because its size or colors have changed. */
  const redraw = (): void => {
    world = null;
    draw();
  };

  const inView = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? false;
    draw();
  });
  inView.observe(canvas);
  const resized = new ResizeObserver(redraw);
  resized.observe(canvas);
  const themed = new MutationObserver(redraw);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    window.matchMedia(query),
  );
  for (const scheme of schemes) scheme.addEventListener('change', redraw);
  document.addEventListener('visibilitychange', draw);

  return {
    show: (next) => {
      const keyed = keyClicks(next.clicks);
      // Clicks that were drawn before are the same objects, so that their flights continue.
      const before = keyClicks(shown.clicks);
      shown = {
        ...next,
        clicks: [...keyed].map(([key, click]) => before.get(key) ?? click),
      };
      waiting.push(...[...keyed].flatMap(([key, click]) => (known.has(key) ? [] : [click])));
      known = new Set(keyed.keys());
      redraw();
    },
    setStill: (nextStill) => {
      isStill = nextStill;
      if (isStill) flights = [];
      draw();
    },
    replay: () => {
      flights = [];
      waiting = [...shown.clicks];
      draw();
    },
    stop: () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      inView.disconnect();
      resized.disconnect();
      themed.disconnect();
      for (const scheme of schemes) scheme.removeEventListener('change', redraw);
      document.removeEventListener('visibilitychange', draw);
      isInView = false;
    },
  };
}

/** The colors come from the canvas's own style, so that themes and forced colors apply. */
function colorsOf(canvas: HTMLCanvasElement): Colors {
  const style = getComputedStyle(canvas);
  return {
    ink: style.color,
    land: style.stroke,
    landing: style.fill,
    ground: style.borderTopColor,
    font: style.fontFamily,
  };
}
