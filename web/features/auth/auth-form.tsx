import type { ReactNode } from 'react';
import { authErrorMessage } from '#web/shared/auth-api.ts';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form.tsx';
import { Notice } from '#web/ui/notice.tsx';

/**
 * The form of a sign-in page: the fields (`children`), the service's error and the submit button.
 * If `validate` returns false, the form is not submitted and the first invalid field gets the
 * focus.
 */
export function AuthForm({
  validate,
  onSubmit,
  error,
  errorAction,
  button,
  disabled,
  pending,
  children,
}: {
  validate: () => boolean;
  onSubmit: () => void;
  /** The error of the last submit, or null. */
  error: unknown;
  /** A remedy for the error, shown below it. */
  errorAction?: ReactNode;
  button: string;
  disabled: boolean;
  pending: boolean;
  children: ReactNode;
}) {
  return (
    <Form className="space-y-4" onSubmit={() => validate() && onSubmit()}>
      {children}
      {error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(error)}</p>
          {errorAction}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        disabled={disabled}
        pending={pending}
      >
        {button}
      </Button>
    </Form>
  );
}
