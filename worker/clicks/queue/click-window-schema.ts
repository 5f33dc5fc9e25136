import * as z from 'zod/mini';
import type { ClickWindow } from '#worker/redirect/click-event.ts';

/** July 2017 to the year 2100: a time outside this range is a broken message, not a click. */
const time = z.int().check(z.gte(1_500_000_000_000), z.lte(4_102_444_800_000));

const clickEvent = z.object({
  l: z.int().check(z.positive()),
  t: time,
  p: z.exactOptional(z.literal(1)),
  q: z.exactOptional(z.literal(1)),
  u: z.exactOptional(z.string().check(z.maxLength(300))),
  d: z.exactOptional(z.string().check(z.regex(/^[a-z0-9]{1,8}$/))),
  ua: z.string(),
  r: z.string(),
  c: z.string(),
  g: z.string(),
  y: z.string(),
  k: z.string().check(z.maxLength(64)),
});

/**
 * Validates a queue message, because a queue may deliver messages of another release or of another
 * sender.
 */
export const clickWindowSchema: z.ZodMiniType<ClickWindow> = z.object({
  v: z.literal(1),
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  e: z.array(clickEvent).check(z.minLength(1), z.maxLength(5_000)),
});
