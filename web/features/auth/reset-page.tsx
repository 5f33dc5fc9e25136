import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import { changePassword, isCurrentPasswordError } from '#web/shared/sign-in/auth-api.ts';
import { toastPasswordChanged } from '#web/shared/sign-in/auth-toasts.ts';
import { CodeForm } from '#web/shared/sign-in/auth-code-form.tsx';
import { MailCheck } from '#web/shared/sign-in/auth-mail-check.tsx';
import { mailLinkError } from '#web/shared/sign-in/auth-validation.ts';
import { config } from '#web/shared/page/config.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Card } from '#web/ui/card.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { AuthForm, NewPasswordField, useNewPassword } from './auth-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { emailFromState } from './email-from-state.ts';

/**
 * Lets a user who signed in by mail choose a password: a new one, or the account's first. Then
 * opens `?next=`.
 */
export function ResetPage() {
  const session = useSession();
  const location = useLocation();
  const [query] = useSearchParams();
  const email = emailFromState(location.state);
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  const isMember = session.status === 'member';
  if (!config.auth.passwords && session.status === 'visitor')
    return <Navigate replace to={`/auth?next=${encodeURIComponent(next)}`} />;
  return (
    <AuthFrame
      title={isMember && session.needsPassword ? 'Choose a password' : 'New password'}
      hint={isMember ? `For ${session.email}.` : undefined}
    >
      {session.status === 'signing-in' && (
        <Loading label="Checking your link…">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="mt-4 h-9 w-full" />
        </Loading>
      )}
      {isMember && (
        <Card className="p-5">
          <NewPasswordForm email={session.email} isFirst={session.needsPassword} next={next} />
        </Card>
      )}
      {session.status === 'visitor' && email !== '' && (
        <Card className="space-y-4 p-5">
          <p className="text-14 text-ink-2">
            If {email} has an account, we sent it an email with a code.
          </p>
          <CodeForm email={email} type="recovery" label="6-digit code" />
        </Card>
      )}
      {session.status === 'visitor' && email === '' && (
        <div className="space-y-4">
          <Notice tone="bad">
            <p>
              {mailLinkError(location) || 'Open the link in your email to choose a new password.'}
            </p>
          </Notice>
          <LinkButton to={`/auth?tab=forgot&next=${encodeURIComponent(next)}`} variant="primary">
            Send a new link
          </LinkButton>
        </div>
      )}
    </AuthFrame>
  );
}

function NewPasswordForm({
  email,
  isFirst,
  next,
}: {
  email: string;
  isFirst: boolean;
  next: string;
}) {
  const password = useNewPassword();
  const navigate = useNavigate();
  const change = useAsyncAction(
    () => changePassword({ password: password.text, currentPassword: '' }),
    () => {
      toastPasswordChanged(isFirst ? 'Password saved.' : undefined);
      void navigate(next, { replace: true });
    },
  );
  // The service requires proof, because the mail was used more than ten minutes ago or the user
  // signed in with a password.
  if (isCurrentPasswordError(change.error))
    return (
      <MailCheck
        email={email}
        next={next}
        intro="To save your password, confirm that this email address is yours. Your new password stays in the form."
        onDone={change.reset}
      />
    );
  return (
    <AuthForm texts={{ 'a password': password }} action={change} button="Save password">
      <NewPasswordField
        label={isFirst ? 'Password' : 'New password'}
        name="new-password"
        password={password}
      />
    </AuthForm>
  );
}
