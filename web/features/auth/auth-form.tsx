import { useId, type ReactNode } from 'react';
import { authErrorMessage } from '#web/shared/sign-in/auth-api.ts';
import { useCheckedText, type CheckedText } from '#web/shared/sign-in/auth-checked-text.ts';
import {
  emailError,
  newPasswordError,
  passwordHint,
  passwordPlaceholder,
} from '#web/shared/sign-in/auth-validation.ts';
import type { Captcha } from '#web/shared/sign-in/captcha.tsx';
import type { AsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button, MAIN_ACTION } from '#web/ui/button.tsx';
import { ErrorMessage } from '#web/ui/error-message.tsx';
import { Form } from '#web/ui/form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/**
 * The form of a sign-in page: the fields (`children`), the captcha, the service's error and the
 * submit button. The button stays disabled while a text is empty, and says which. The action runs
 * if all `texts` are valid; otherwise the first invalid field gets the focus.
 */
export function AuthForm({
  texts,
  action,
  errorAction,
  button,
  children,
}: {
  /** By their names in the sentence “Enter …”. */
  texts: Readonly<Record<string, CheckedText>>;
  action: AsyncAction<void, unknown> & { captcha?: Captcha };
  /** A remedy for the error, shown below it. */
  errorAction?: ReactNode;
  button: string;
  children: ReactNode;
}) {
  const { captcha, error, pending, run } = action;
  const hintId = useId();
  const missing = Object.keys(texts).filter((name) => texts[name]?.text === '');
  return (
    <Form
      error={error}
      className="space-y-4"
      onSubmit={() => {
        if (
          Object.values(texts)
            .map(({ check }) => check())
            .every(Boolean)
        )
          run();
      }}
    >
      {children}
      {captcha?.widget}
      {error !== null && (
        <Notice tone="bad">
          <p>
            <ErrorMessage>{authErrorMessage(error)}</ErrorMessage>
          </p>
          {errorAction}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        className={`w-full ${MAIN_ACTION}`}
        disabled={missing.length > 0 || captcha?.isReady === false}
        aria-describedby={missing.length > 0 ? hintId : undefined}
        pending={pending}
      >
        {button}
      </Button>
      {missing.length > 0 && (
        <p id={hintId} className="-mt-2 text-13 text-ink-3">
          Enter {missing.join(' and ')}.
        </p>
      )}
    </Form>
  );
}

export const useEmail = (initial = ''): CheckedText =>
  useCheckedText(emailError, (typed) => typed.trim(), initial);
export const useNewPassword = (): CheckedText => useCheckedText(newPasswordError);

export const EmailField = ({
  email,
  placeholder,
  autoComplete = 'email',
}: {
  email: CheckedText;
  placeholder?: string;
  autoComplete?: string;
}) => (
  <TextField
    label="Email"
    type="email"
    name="email"
    autoComplete={autoComplete}
    placeholder={placeholder}
    {...email.field}
  />
);

export const NewPasswordField = ({
  label,
  name,
  password,
}: {
  label: string;
  name: string;
  password: CheckedText;
}) => (
  <PasswordField
    label={label}
    name={name}
    autoComplete="new-password"
    hint={passwordHint}
    placeholder={passwordPlaceholder}
    {...password.field}
  />
);
