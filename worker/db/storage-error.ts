/**
 * Storage broke its own contract, for example by returning no row for a query that always has one.
 * Answered with 503.
 */
export class StorageError extends Error {}
