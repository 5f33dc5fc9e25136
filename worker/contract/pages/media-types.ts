export const JSON_TYPE = 'application/json';
/** The types of the body of a PATCH: JSON, also under the name of RFC 7396. */
export const PATCH_TYPES: readonly string[] = [JSON_TYPE, 'application/merge-patch+json'];
