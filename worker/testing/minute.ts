const MINUTE_MS = 60_000;

/**
 * Runs `attempt`, which uses up a rate limit. The platform's limits reset with every minute of the
 * clock, so a failed attempt is repeated if a new minute began in between. Every attempt needs a
 * different network or person.
 */
export async function inOneMinute(attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    const minute = currentMinute();
    try {
      await attempt();
      return;
    } catch (error) {
      if (currentMinute() === minute) throw error;
    }
  }
}

const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS);
