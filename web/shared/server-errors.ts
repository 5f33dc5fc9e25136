import { errorField, isErrorAt } from './api.ts';

/**
 * Assigns a request's error to a form. `at` is the message for one of the form's `fields`, or a part
 * of it, `rest` the message that none of them shows.
 */
export function serverErrors(error: Error | null, fields: readonly string[]) {
  const path = errorField(error);
  const message = error?.message ?? '';
  return {
    at: (field: string): string | undefined => (isErrorAt(path, field) ? message : undefined),
    rest: fields.some((field) => isErrorAt(path, field)) ? '' : message,
  };
}
