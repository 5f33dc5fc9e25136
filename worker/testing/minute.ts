const MINUTE_MS = 60_000;

/**
 * Runs `attempt`, which uses up a rate limit. The platform's rate limits start again with every
 * minute of the clock, so an attempt that fails is repeated if a new minute began meanwhile. Every
 * attempt needs its own network or person.
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
