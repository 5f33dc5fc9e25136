import * as z from 'zod';
import type { ClickWindow } from '#worker/redirect/click-event.ts';

/** 2017 to 2100: a time outside of it is a broken message, not a click. */
const time = z.int().min(1_500_000_000_000).max(4_102_444_800_000);

const clickEvent = z.object({
  l: z.int().positive(),
  t: time,
  p: z.literal(1).exactOptional(),
  ua: z.string(),
  r: z.string(),
  c: z.string(),
  g: z.string(),
  y: z.string(),
  k: z.string().max(64),
});

/** A click window as it comes out of the queue, where anything may come out. */
export const clickWindow: z.ZodType<ClickWindow> = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(64),
  e: z.array(clickEvent).min(1).max(5_000),
});
