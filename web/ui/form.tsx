import { useCallback, useEffect, useRef, type ComponentProps, type RefObject } from 'react';
import { useUnsavedGuard } from './unsaved-changes.ts';
import { isOffline, RetriesOnline, useRetryOnline } from './offline.ts';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & {
  onSubmit: () => void;
  /** The error of the last submit, or null. */
  error?: unknown;
  /**
   * Whether there are unsaved changes. By default, whether a field differs from its first value.
   */
  changed?: boolean;
  ref?: RefObject<HTMLFormElement | null>;
};

/**
 * A form with its own error messages instead of the browser's. The first invalid field gets the
 * focus after a submit, and when the server's `error` arrives. A submit that failed because the
 * browser was offline runs again when the network is back. While the form has changes, the page
 * stays although the session ends.
 */
export function Form({ onSubmit, error = null, changed, ref, children, ...rest }: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  const [guard] = useUnsavedGuard({ changed });
  const attach = useCallback(
    (element: HTMLFormElement | null) => {
      form.current = element;
      return guard(element);
    },
    [form, guard],
  );
  useRetryOnline(isOffline(error), onSubmit);
  const focusFirstError = (): void =>
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  useEffect(() => {
    if (error !== null) focusFirstError();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each error.
  }, [error]);
  return (
    <form
      ref={attach}
      noValidate
      onSubmit={(event) => {
        // React also reports the submits of a dialog's form that is opened from within this one.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onSubmit();
        // This runs after the errors of `onSubmit` have rendered.
        setTimeout(focusFirstError);
      }}
      {...rest}
    >
      <RetriesOnline value>{children}</RetriesOnline>
    </form>
  );
}
