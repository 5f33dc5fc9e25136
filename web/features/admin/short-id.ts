import { DELETED_OWNER } from '#contract/abuse.ts';

/** True for the random label that groups the links of a deleted account. */
export const isDeletedOwner = (id: string): boolean => id.startsWith(DELETED_OWNER);

/** Returns the first 8 characters of a user id: '1a2b3c4d', or 'deleted account 1a2b3c4d'. */
export const shortId = (id: string): string =>
  isDeletedOwner(id)
    ? `deleted account ${id.slice(DELETED_OWNER.length, DELETED_OWNER.length + 8)}`
    : id.slice(0, 8);
