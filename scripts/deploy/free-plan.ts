/** Messages that one invocation of the queue's consumer takes on the free plan: their folds fit in its 50 queries of D1. */
export const FREE_BATCH_SIZE = 10;

/** True if the settings are for the platform's free plan. */
export const isFreePlan = (vars: Readonly<Record<string, string>>): boolean => vars['WORKERS_PLAN'] === 'free';
