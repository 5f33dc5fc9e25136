import { MARK } from '#contract/pages/brand.ts';
import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { LIVE_CLICKS_MINUTES } from '#contract/reports/live-clicks.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { arcBetween } from './arc.ts';
import { FLIGHT_MS, REST_AFTER_MS, type Flight } from './flights.ts';
import { landDots, placeOf, WORLD_RATIO, type WorldPoint } from './world.ts';

/**
 * Where all arcs land, in parts of the width and height: in the South Atlantic, which no country
 * covers.
 */
export const LANDING = { x: 0.425, y: 0.86 };

export type Colors = { ink: string; land: string; landing: string; ground: string; font: string };
/** What is drawn. `resting` are clicks whose arcs have landed, `now` is the clock of `flights`. */
export type Scene = {
  width: number;
  height: number;
  colors: Colors;
  countries: Readonly<Record<string, number>>;
  resting: readonly LiveClick[];
  flights: readonly Flight[];
  now: number;
  /** The time of day in ms, by which resting arcs fade. */
  time: number;
};

/** The width in px at which lines and dots have their full size. */
const FULL_WIDTH = 840;
/** The narrowest picture that has room for the names of countries. */
const LABELS_FROM = 480;
const LAND_OPACITY = 0.5;
const REST_OPACITY = { newest: 0.42, oldest: 0.12 };

const ease = (part: number): number => 0.5 - Math.cos(Math.PI * Math.min(1, Math.max(0, part))) / 2;
const sizeIn = ({ width }: Scene): number => Math.min(1.15, Math.max(0.6, width / FULL_WIDTH));
const landingIn = ({ width, height }: Scene): WorldPoint => ({
  x: LANDING.x * width,
  y: LANDING.y * height,
});

export const heightFor = (width: number): number => Math.round(width * WORLD_RATIO);

type Context = CanvasRenderingContext2D;

function fillDot(context: Context, { x, y }: WorldPoint, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Draws what only changes with the size, the colors and the numbers of clicks by country. */
export function drawWorld(context: Context, scene: Scene): void {
  const { width, colors, countries } = scene;
  const { dots, pitch } = landDots(width);
  const radius = pitch * 0.27;
  context.globalAlpha = LAND_OPACITY;
  context.fillStyle = colors.land;
  context.beginPath();
  for (const { x, y } of dots) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
  const most = Math.max(1, ...Object.values(countries));
  context.fillStyle = colors.ink;
  for (const [country, clicks] of Object.entries(countries)) {
    const place = placeOf(country, width);
    if (place === null || clicks === 0) continue;
    const size = sizeIn(scene) * (2.5 + 8 * Math.sqrt(clicks / most));
    context.globalAlpha = 0.14;
    fillDot(context, place, size);
    context.globalAlpha = 0.5;
    fillDot(context, place, Math.min(size, 2.5 * sizeIn(scene)));
  }
  context.globalAlpha = 1;
}

/** Draws the arcs and the point where they land, over the world. */
export function drawArcs(context: Context, scene: Scene): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const click of scene.resting) drawResting(context, scene, click);
  const started = scene.flights.filter(({ startAt }) => startAt <= scene.now);
  for (const flight of started) drawFlight(context, scene, flight);
  if (scene.resting.length > 0 || scene.flights.length > 0) drawLanding(context, scene, started);
  if (scene.width >= LABELS_FROM) drawLabels(context, scene, started);
  context.globalAlpha = 1;
}

/** How much of an arc that has landed still shows, from the newest to the oldest. */
function restOpacity(click: LiveClick, time: number): number {
  const age = (time - Date.parse(click.clickedAt)) / (LIVE_CLICKS_MINUTES * MINUTE_MS);
  const { newest, oldest } = REST_OPACITY;
  return newest - (newest - oldest) * Math.min(1, Math.max(0, age));
}

function drawResting(context: Context, scene: Scene, click: LiveClick): void {
  const start = placeOf(click.country, scene.width);
  if (start === null) return;
  const opacity = restOpacity(click, scene.time);
  drawArc(context, scene, start, { upTo: 1, opacity, lineWidth: 1 });
  context.globalAlpha = Math.min(1, 2 * opacity);
  fillDot(context, start, 2 * sizeIn(scene));
}

/** An arc draws itself, then fades to how it looks at rest. */
function drawFlight(context: Context, scene: Scene, { click, startAt }: Flight): void {
  const start = placeOf(click.country, scene.width);
  if (start === null) return;
  const elapsed = scene.now - startAt;
  const settled = ease((elapsed - FLIGHT_MS) / REST_AFTER_MS);
  const opacity = 0.95 + (restOpacity(click, scene.time) - 0.95) * settled;
  const { strokeWidth, start: dot } = MARK;
  const size = sizeIn(scene);
  drawArc(context, scene, start, {
    upTo: ease(elapsed / FLIGHT_MS),
    opacity,
    lineWidth: 1 + (0.8 * strokeWidth * size - 1) * (1 - settled),
  });
  // The dot swells as the arc leaves it.
  const swell = Math.sin(Math.PI * Math.min(1, elapsed / (FLIGHT_MS / 2)));
  context.globalAlpha = opacity;
  fillDot(context, start, size * (2 + (dot.radius - 0.5) * (1 - settled) + 1.5 * swell));
}

function drawArc(
  context: Context,
  scene: Scene,
  start: WorldPoint,
  { upTo, opacity, lineWidth }: { upTo: number; opacity: number; lineWidth: number },
): void {
  const points = arcBetween(start, landingIn(scene));
  const last = upTo * (points.length - 1);
  const [before, after] = [points[Math.floor(last)], points[Math.ceil(last)]];
  if (before === undefined || after === undefined) return;
  context.globalAlpha = opacity;
  context.strokeStyle = scene.colors.ink;
  context.fillStyle = scene.colors.ink;
  context.lineWidth = lineWidth;
  context.beginPath();
  for (const { x, y } of points.slice(0, Math.floor(last) + 1)) context.lineTo(x, y);
  const rest = last - Math.floor(last);
  context.lineTo(before.x + (after.x - before.x) * rest, before.y + (after.y - before.y) * rest);
  context.stroke();
}

/** The point where arcs land. A ring spreads from it at each landing. */
function drawLanding(context: Context, scene: Scene, started: readonly Flight[]): void {
  const landing = landingIn(scene);
  const size = sizeIn(scene);
  context.fillStyle = scene.colors.landing;
  context.strokeStyle = scene.colors.landing;
  let swell = 0;
  for (const { startAt } of started) {
    const part = (scene.now - startAt - FLIGHT_MS) / REST_AFTER_MS;
    if (part < 0 || part >= 1) continue;
    context.globalAlpha = 0.7 * (1 - part) ** 2;
    context.lineWidth = 2 * size;
    context.beginPath();
    context.arc(landing.x, landing.y, size * (5 + 18 * ease(part)), 0, 2 * Math.PI);
    context.stroke();
    swell = Math.max(swell, (1 - part) ** 2);
  }
  context.globalAlpha = 1;
  fillDot(context, landing, size * (5 + 2 * swell));
}

/** The names of the countries that arcs leave, where they do not cover each other. */
function drawLabels(context: Context, scene: Scene, started: readonly Flight[]): void {
  const { width, colors, now } = scene;
  context.font = `500 12px ${colors.font}`;
  context.textAlign = 'center';
  context.lineWidth = 4;
  context.strokeStyle = colors.ground;
  context.fillStyle = colors.ink;
  const taken: WorldPoint[] = [];
  for (const { click, startAt } of started.toReversed()) {
    const start = placeOf(click.country, width);
    const elapsed = now - startAt;
    const shown = Math.min(1, elapsed / 200, (FLIGHT_MS + REST_AFTER_MS - elapsed) / REST_AFTER_MS);
    if (start === null || shown <= 0) continue;
    const name = countryName(click.country);
    const half = context.measureText(name).width / 2 + 4;
    const at = {
      x: Math.min(width - half, Math.max(half, start.x)),
      // Below the dot, because arcs leave it upward.
      y: start.y + 20,
    };
    if (taken.some(({ x, y }) => Math.abs(x - at.x) < 90 && Math.abs(y - at.y) < 18)) continue;
    taken.push(at);
    context.globalAlpha = shown;
    context.strokeText(name, at.x, at.y);
    context.fillText(name, at.x, at.y);
  }
}
