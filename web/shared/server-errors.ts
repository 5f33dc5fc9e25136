import { errorField } from './api.ts';

/**
 * Assigns a request's error to a form. `at` is the message for one of the form's `fields`, `rest`
 * the message that none of them shows. An error about `tags.2` belongs to `tags`.
 */
export function serverErrors(error: Error | null, fields: readonly string[]) {
  const name = errorField(error).split('.')[0];
  const message = error?.message ?? '';
  return {
    at: (field: string): string | undefined => (name === field ? message : undefined),
    rest: fields.includes(name ?? '') ? '' : message,
  };
}
