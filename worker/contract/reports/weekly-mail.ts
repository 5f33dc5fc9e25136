import * as z from 'zod/mini';

/** GET /api/weekly-mail. `offered` is false where this deployment sends no mail. */
export type WeeklyMail = { enabled: boolean; offered: boolean };

/**
 * PATCH /api/weekly-mail. Returns the new `WeeklyMail`. Returns 409 if the deployment sends no
 * mail, and 403 while the address is not confirmed.
 */
export const weeklyMailChange = z.object({ enabled: z.boolean() });

/** POST /api/weekly-mail/unsubscribe. The token is in each mail, and works without a sign-in. */
export const unsubscribeQuery = z.object({ token: z.string().check(z.maxLength(300)) });
