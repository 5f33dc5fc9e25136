import { errorFacts, logEvent } from '#worker/log.ts';

/**
 * Deletes what the objects with these names have counted. An object that cannot be reached keeps a
 * number to which no link refers.
 */
export async function forgetCounts(
  { CLICK_LIMITS }: Pick<Env, 'CLICK_LIMITS'>,
  limitIds: readonly string[],
): Promise<void> {
  await Promise.all(
    limitIds.map(async (name) => {
      try {
        await CLICK_LIMITS.getByName(name).forget();
      } catch (error) {
        logEvent('click_count_not_deleted', errorFacts(error));
      }
    }),
  );
}
