/** The migration that creates the schema of version 1.0.0. Older migrations no longer exist. */
const BASELINE = '0027_baseline';

/** Whether a database or copy with this migration is older than version 1.0.0. */
export const isFromBefore = (migration: string): boolean =>
  migration !== '' && migration < BASELINE;
