import { countResponse, hasFailures } from './counters.ts';
import type { Route } from './definitions.ts';

/** How long an isolate collects before it delivers, in ms. */
export const METRICS_WINDOW_MS = 15_000;
/**
 * How late the waiting request may be before it counts as cancelled, in ms: the platform ends the
 * work of a request 30 s after its response.
 */
const MAX_LATENESS_MS = 15_000;

/** A configuration that was not written by the deploy command may lack them. */
type Settings = { METRICS_DATASET?: string; OTEL_EXPORTER_OTLP_ENDPOINT?: string };
type Context = Pick<ExecutionContext, 'waitUntil'>;
/** The request of a response. `now` is when it arrived, in ms since 1970. */
type Measured<Env> = { env: Env; ctx: Context; now: number };
/** Delivers the window of this isolate. Never throws. */
export type DeliverMetrics<Env> = (env: Env) => Promise<void>;

/** Whether somebody receives metrics. */
export const hasReceiver = (env: Settings): boolean =>
  Boolean(env.METRICS_DATASET) || Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);

/**
 * Creates the function that counts responses and sees to it that the counts are delivered. One
 * request at a time waits within its `waitUntil` and then delivers the window. Without a receiver
 * nobody waits: only failures are stored, by the first request after the window.
 */
export function createMeasure<Env extends Settings>(
  deliver: DeliverMetrics<Env>,
  windowMs = METRICS_WINDOW_MS,
) {
  /** In ms since 1970. If the waiting request was cancelled, the first one after this waits. */
  let waitsUntil = 0;
  let openedAt = 0;

  const scheduleDelivery = (env: Env, ctx: Context, now: number): void => {
    if (hasReceiver(env)) {
      const latest = now + windowMs + MAX_LATENESS_MS;
      // A clock that was set back must not stop deliveries until it has caught up.
      if (now < waitsUntil && waitsUntil <= latest) return;
      waitsUntil = latest;
      ctx.waitUntil(
        scheduler.wait(windowMs).then(() => {
          waitsUntil = 0;
          return deliver(env);
        }),
      );
    } else if (hasFailures()) {
      if (openedAt === 0 || now < openedAt) openedAt = now;
      if (now - openedAt < windowMs) return;
      openedAt = 0;
      ctx.waitUntil(deliver(env));
    }
  };

  /** Counts a response once it is known, and passes it on. A rejection is a 500 of the platform. */
  return function measure(
    route: Route,
    response: Promise<Response>,
    { env, ctx, now }: Measured<Env>,
  ): Promise<Response> {
    const count = (status: number): void => {
      const answeredAt = Date.now();
      countResponse(route, status, answeredAt - now);
      scheduleDelivery(env, ctx, answeredAt);
    };
    return response.then(
      (answer) => {
        count(answer.status);
        return answer;
      },
      (error: unknown) => {
        count(500);
        throw error;
      },
    );
  };
}
