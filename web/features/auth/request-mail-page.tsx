import { useLocation } from 'react-router-dom';
import { resendConfirmation, sendRecovery } from '#web/shared/sign-in/auth-api.ts';
import { useCaptchaAction } from '#web/shared/sign-in/captcha.tsx';
import { Card } from '#web/ui/card.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { AuthForm, EmailField, useEmail } from './auth-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { emailFromState } from './email-from-state.ts';
import { ConfirmationSent, RecoverySent } from './mail-sent.tsx';

/**
 * The mails that a visitor can request. After a recovery mail the page says the same for every
 * address, so that it does not reveal accounts.
 */
export const REQUESTED_MAILS = {
  forgot: {
    title: 'Forgot your password?',
    hint: 'We’ll email you a link to choose a new one.',
    send: sendRecovery,
    Sent: RecoverySent,
  },
  resend: {
    title: 'Confirm your email address',
    hint: 'We’ll email you a new link. The previous one stops working.',
    send: resendConfirmation,
    Sent: ConfirmationSent,
  },
} as const;

export function RequestMailPage({
  mail: { title, hint, send, Sent },
  next,
  signInHref,
}: {
  mail: (typeof REQUESTED_MAILS)[keyof typeof REQUESTED_MAILS];
  next: string;
  signInHref: string;
}) {
  const email = useEmail(emailFromState(useLocation().state));
  const request = useCaptchaAction((captchaToken) =>
    send({ email: email.text, next, captchaToken }),
  );
  const isSent = request.data !== null;
  return (
    <AuthFrame title={title} hint={hint}>
      <Card className="p-5">
        {isSent ? (
          <Sent email={email.text} next={next} />
        ) : (
          <AuthForm texts={{ 'your email address': email }} action={request} button="Send link">
            <EmailField email={email} />
          </AuthForm>
        )}
        <p className="mt-6 text-13">
          <TextLink to={signInHref}>Back to sign in</TextLink>
        </p>
      </Card>
    </AuthFrame>
  );
}
