import type { Origins } from '#worker/http/origins.ts';
import { usesLocalMailbox } from '#worker/mail/local-mailbox.ts';

/**
 * True on a developer's machine, whose programs may be endpoints. A deployment has neither
 * DEV_MAILBOX nor a loopback origin.
 */
export const allowsLoopback = (env: Env, { app }: Origins): boolean => usesLocalMailbox(env, app);
