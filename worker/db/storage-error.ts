/**
 * Storage broke its own contract, for example by returning no row for a query that always has one.
 * The response is a 503.
 */
export class StorageError extends Error {}
