import * as z from 'zod/mini';
import { PAGE_SIZE } from '#contract/limits.ts';

/** How many days of clicks are returned: today and the days before it, in UTC. */
export const ACTIVITY_DAYS = 7;

/** GET /api/link-activity?ids=1,2: at most a page of links. */
export const linkActivityQuery = z.object({
  ids: z.pipe(
    z
      .string()
      .check(
        z.regex(
          new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${PAGE_SIZE - 1}}$`),
          `ids must be the ids of 1 to ${PAGE_SIZE} links, separated by commas.`,
        ),
      ),
    z.transform((text) => text.split(',').map(Number)),
  ),
});

/**
 * Clicks by people on a link: in all, on the last ACTIVITY_DAYS days, the oldest first, and the
 * time of the last one in RFC 3339; null if there is none.
 */
export type LinkActivity = {
  id: number;
  clicks: number;
  days: number[];
  lastClickAt: string | null;
};

/** The member's own links among those asked for. Others are left out. */
export type LinkActivityResponse = { links: LinkActivity[] };
