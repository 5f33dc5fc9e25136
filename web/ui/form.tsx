import { useEffect, useRef, type ComponentProps, type RefObject } from 'react';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & {
  onSubmit: () => void;
  /** The error of the last submit, or null. */
  error?: unknown;
  ref?: RefObject<HTMLFormElement | null>;
};

/**
 * A form with its own error messages instead of the browser's. The first invalid field gets the
 * focus after a submit, and when the server's `error` arrives.
 */
export function Form({ onSubmit, error = null, ref, ...rest }: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  const focusFirstError = (): void =>
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  useEffect(() => {
    if (error !== null) focusFirstError();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each error.
  }, [error]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        // React also reports the submits of a dialog's form that is opened from within this one.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onSubmit();
        // By then, the errors of `onSubmit` have rendered.
        setTimeout(focusFirstError);
      }}
      {...rest}
    />
  );
}
