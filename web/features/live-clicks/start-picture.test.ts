import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { FLIGHT_MS, REST_AFTER_MS } from './flights.ts';
import { startPicture } from './start-picture.ts';

const click = (country: string): LiveClick => ({
  clickedAt: '2026-11-20T12:00:00Z',
  country,
  code: country,
  shortUrl: `https://hop.example/${country}`,
});
const CLICKS = [click('IN'), click('DE')];
const COUNTRIES = { IN: 3 };

/** What the canvases were told, by the name of the method. */
let told: string[] = [];
const context = new Proxy<Record<string, unknown>>(
  { measureText: () => ({ width: 40 }) },
  {
    get: (target, name: string) =>
      Object.hasOwn(target, name) ? target[name] : () => void told.push(name),
  },
);
let report: Record<string, (entries: { isIntersecting: boolean }[]) => void> = {};
let observed = 0;
let stop = (): void => undefined;
const canvasPrototype = HTMLCanvasElement.prototype;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  report = {};
  observed = 0;
  for (const name of ['IntersectionObserver', 'ResizeObserver', 'MutationObserver'])
    vi.stubGlobal(
      name,
      function observer(notify: (entries: { isIntersecting: boolean }[]) => void) {
        report[name] = notify;
        return { observe: () => (observed += 1), disconnect: () => (observed -= 1) };
      },
    );
  Object.defineProperty(canvasPrototype, 'clientWidth', { value: 840, configurable: true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that are called
  vi.spyOn(canvasPrototype, 'getContext').mockReturnValue(context as never);
});
afterEach(() => {
  stop();
  Reflect.deleteProperty(canvasPrototype, 'clientWidth');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function start(still = false) {
  const canvas = document.createElement('canvas');
  const [onLand, onMove] = [
    vi.fn<(landed: LiveClick) => void>(),
    vi.fn<(moves: boolean) => void>(),
  ];
  const picture = startPicture(canvas, { still, onLand, onMove });
  stop = picture.stop;
  picture.show({ clicks: CLICKS, countries: COUNTRIES });
  const landed = () => onLand.mock.calls.map(([{ country }]) => country);
  const moved = () => onMove.mock.calls.map(([moves]) => moves);
  const see = (isIntersecting = true) => report['IntersectionObserver']?.([{ isIntersecting }]);
  return { canvas, picture, landed, moved, see };
}
const WHOLE_MS = 3 * (FLIGHT_MS + REST_AFTER_MS);

it('clicks hop and land once the picture is in view, and then nothing moves', () => {
  const { canvas, landed, moved, see } = start();
  vi.advanceTimersByTime(WHOLE_MS);
  expect([told, landed(), moved()]).toEqual([[], [], []]);
  see();
  const steps = new Set(['scale', 'fill', 'setTransform', 'clearRect', 'drawImage']);
  const done = told.filter((name, at) => steps.has(name) && name !== told[at - 1]);
  // The world is painted first, in a separate canvas.
  expect([...new Set(done.slice(0, done.indexOf('setTransform')))]).toEqual(['scale', 'fill']);
  expect(done.slice(done.indexOf('setTransform'))).toEqual([
    'setTransform',
    'clearRect',
    'drawImage',
    'scale',
    ...Array.from(CLICKS, () => 'fill'),
  ]);
  expect([canvas.width, canvas.height]).toEqual([840, 339]);
  expect(moved()).toEqual([true]);
  vi.advanceTimersByTime(WHOLE_MS);
  expect(landed().toSorted()).toEqual(['DE', 'IN']);
  expect(moved()).toEqual([true, false]);
  const frames = told.length;
  vi.advanceTimersByTime(WHOLE_MS);
  expect(told).toHaveLength(frames);
});

it('a picture out of view or in a hidden page draws nothing, and later goes on', () => {
  const { see, landed } = start();
  see();
  // It was passed while scrolling.
  report['IntersectionObserver']?.([{ isIntersecting: true }, { isIntersecting: false }]);
  told = [];
  vi.advanceTimersByTime(WHOLE_MS);
  expect(told).toEqual([]);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  see();
  expect([told, landed()]).toEqual([[], []]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(landed().toSorted()).toEqual(['DE', 'IN']);
});

it('a still picture shows the newest click as landed, and moves nothing', () => {
  const { landed, moved, see } = start(true);
  see();
  vi.advanceTimersByTime(WHOLE_MS);
  expect([landed(), moved()]).toEqual([['IN'], []]);
});

it('a picture that becomes still drops its flights, and replays them on request', () => {
  const { picture, landed, moved, see } = start();
  see();
  picture.setStill(true);
  vi.advanceTimersByTime(WHOLE_MS);
  expect([landed(), moved()]).toEqual([[], [true, false]]);
  picture.setStill(false);
  picture.replay();
  vi.advanceTimersByTime(FLIGHT_MS / 2);
  picture.replay();
  vi.advanceTimersByTime(WHOLE_MS);
  expect(landed().toSorted()).toEqual(['DE', 'IN']);
  expect(moved()).toEqual([true, false, true, false]);
});

it('clicks that are loaded again continue their flights', () => {
  const { picture, see } = start();
  see();
  vi.advanceTimersByTime(FLIGHT_MS / 2);
  const arcs = (): number => {
    told = [];
    document.dispatchEvent(new Event('visibilitychange'));
    return told.filter((name) => name === 'stroke').length;
  };
  expect(arcs()).toBe(2);
  picture.show({ clicks: [click('IN'), click('DE')], countries: COUNTRIES });
  expect(arcs()).toBe(2);
});

it('only a new click hops, and a new theme or size paints the world again', () => {
  const scheme = new EventTarget();
  vi.stubGlobal('matchMedia', () => scheme);
  const { picture, landed, see } = start();
  see();
  vi.advanceTimersByTime(WHOLE_MS);
  picture.show({ clicks: [click('BR'), ...CLICKS], countries: COUNTRIES });
  vi.advanceTimersByTime(WHOLE_MS);
  expect(landed().slice(2)).toEqual(['BR']);
  // More pixels than two for each px would only cost time.
  vi.stubGlobal('devicePixelRatio', 3);
  const worlds = vi.spyOn(document, 'createElement');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(worlds).not.toHaveBeenCalled();
  told = [];
  report['MutationObserver']?.([]);
  expect(worlds).toHaveBeenCalledExactlyOnceWith('canvas');
  expect(worlds.mock.results[0]?.value).toMatchObject({ width: 1_680, height: 678 });
  expect(told).toContain('drawImage');
  report['ResizeObserver']?.([]);
  expect(worlds).toHaveBeenCalledTimes(2);
  scheme.dispatchEvent(new Event('change'));
  expect(worlds.mock.calls.length).toBeGreaterThan(2);
  picture.stop();
  worlds.mockClear();
  scheme.dispatchEvent(new Event('change'));
  expect(worlds).not.toHaveBeenCalled();
});

it('a stopped picture leaves nothing behind', () => {
  const { picture, see } = start();
  see();
  expect(observed).toBe(3);
  picture.stop();
  expect([observed, vi.getTimerCount()]).toEqual([0, 0]);
  told = [];
  document.dispatchEvent(new Event('visibilitychange'));
  expect(told).toEqual([]);
});
