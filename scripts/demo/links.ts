import * as z from 'zod/mini';
import links from './links.json' with { type: 'json' };

/**
 * A demo link: its owner, its age in days, its daily clicks at its peak, and their course. A
 * campaign fades, a steady link stays, a growing one gains through its year, a launch peaks once, a
 * weekly link peaks on one weekday. A link with `endsDaysAgo` has ended then. One with `campaigns`
 * forwards UTM parameters, and most of its visitors bring one of these (source|medium|campaign).
 */
const demoLink = z.object({
  owner: z.enum(['admin', 'user']),
  target: z.string(),
  alias: z.optional(z.string()),
  daysAgo: z.number(),
  perDay: z.number(),
  course: z.enum(['campaign', 'steady', 'growing', 'launch', 'weekly']),
  title: z.optional(z.string()),
  note: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  favorite: z.optional(z.boolean()),
  campaigns: z.optional(z.array(z.string())),
  endsDaysAgo: z.optional(z.number()),
  audience: z.enum(['world', 'india', 'europe', 'developers']),
});
export type DemoLink = z.infer<typeof demoLink>;

/** The links, oldest first. The member's last eight belong to the current cycle (8 of 25 used). */
export const DEMO_LINKS: readonly DemoLink[] = z.array(demoLink).parse(links);
