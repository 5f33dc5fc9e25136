import { DELETED_OWNER } from '#contract/abuse.ts';

/** True for the label under which the links of a deleted account are kept. */
export const isDeletedOwner = (id: string): boolean => id.startsWith(DELETED_OWNER);

/** '1a2b3c4d', or 'deleted account 1a2b3c4d': the start of an id, enough to tell rows apart. */
export const shortId = (id: string): string =>
  isDeletedOwner(id) ? `deleted account ${id.slice(DELETED_OWNER.length, DELETED_OWNER.length + 8)}` : id.slice(0, 8);
