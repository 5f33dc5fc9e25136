import { isLoopback } from '#worker/http/origins.ts';

/**
 * True if emails go to the local mailbox at /dev/mailbox instead of being sent. Only possible on a
 * loopback host.
 */
export function usesLocalMailbox(env: Pick<Env, 'DEV_MAILBOX'>, requestUrl: string): boolean {
  return env.DEV_MAILBOX === 'on' && isLoopback(requestUrl);
}
