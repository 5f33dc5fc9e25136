import * as z from 'zod/mini';

/** The state of a link before or after a change. Here `active` links can have ended. */
export const pastStatus = z.enum(['active', 'disabled', 'deleted']);
export type LinkStatus = z.infer<typeof pastStatus>;
