import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form.tsx';
import { authErrorCode, authErrorMessage, verifyCode } from './auth-api.ts';
import { useCheckedText } from './auth-checked-text.ts';
import { codeError } from './auth-validation.ts';
import { OneTimeCodeField } from './one-time-code-field.tsx';
import { pendingSignIn, usePendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { readStoredSession } from '#web/shared/session/session.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

/**
 * Accepts the 6-digit code of a mail, for people who read mail on another device. The right code
 * signs in; the page's guard or `onDone` then continues.
 */
export function CodeForm({
  label = 'Or enter the 6-digit code',
  onDone,
  ...mail
}: {
  label?: string;
  onDone?: () => void;
} & (
  | { email: string; type: 'signup' | 'recovery' }
  /** Takes the code of another kind of mail. */
  | { verify: (code: string) => Promise<unknown> }
)) {
  const code = useCheckedText(codeError);
  const pending = usePendingSignIn();
  const [needsFactor, setNeedsFactor] = useState(false);
  const verify = useAsyncAction<void, unknown>(
    async () => {
      if ('verify' in mail) await mail.verify(code.text.replaceAll(' ', ''));
      else await verifyCode({ ...mail, code: code.text });
    },
    () => (pendingSignIn() === null ? onDone?.() : setNeedsFactor(true)),
  );
  useChange(pending, () => {
    if (!needsFactor || pending !== null) return;
    setNeedsFactor(false);
    // Without a session, the sign-in ended before its second factor, for example in another tab.
    if (readStoredSession() !== null) onDone?.();
  });
  if (needsFactor) return <SecondFactorForm button="Continue" />;
  return (
    <Form
      error={verify.error}
      onSubmit={() => code.check() && verify.run()}
      className="flex items-start gap-2"
    >
      <div className="min-w-0 flex-1">
        <OneTimeCodeField
          label={label}
          code={code}
          error={describeError(verify.error)}
          onChange={verify.reset}
        />
      </div>
      <Button type="submit" className="mt-6.5" pending={verify.pending}>
        Continue
      </Button>
    </Form>
  );
}

/** The service's own sentence about a wrong code speaks of a token. */
const describeError = (error: unknown): string =>
  authErrorCode(error) === 'otp_expired'
    ? 'This code is wrong or has expired. Check it, or request a new email.'
    : authErrorMessage(error);
