import type { FormErrors } from '#web/ui/form-dialog.tsx';
import { errorField, isErrorAt } from './api.ts';

/**
 * Assigns a request's error to a form. `at` is the message for one of the form's `fields`, or a part
 * of it.
 */
export function serverErrors(
  error: Error | null,
  fields: readonly string[],
): FormErrors & { at: (field: string) => string | undefined } {
  const path = errorField(error);
  const message = error?.message ?? '';
  return {
    error,
    at: (field) => (isErrorAt(path, field) ? message : undefined),
    rest: fields.some((field) => isErrorAt(path, field)) ? '' : message,
  };
}
