import { useState } from 'react';
import type { FormEvent } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { pageAfterSignIn } from '#contract/paths.ts';
import { changePassword, isCurrentPasswordError, mailsIncludeCode, authErrorMessage, sendRecovery } from '#web/shared/auth-api.ts';
import { CodeForm } from '#web/shared/auth-code-form.tsx';
import { MailButton } from '#web/shared/auth-mail-button.tsx';
import { mailLinkError, newPasswordError } from '#web/shared/auth-validation.ts';
import { useSession } from '#web/shared/session.ts';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Field, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/** Where somebody whom a mail has signed in chooses a password: a new one, or the account's first. Then on to `?next=`. */
export function ResetPage() {
  const session = useSession();
  const location = useLocation();
  const [query] = useSearchParams();
  const email = emailIn(location.state);
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  const isMember = session.status === 'member';
  return (
    <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
      <PageHeading
        title={isMember && session.needsPassword ? 'Choose a password' : 'New password'}
        hint={isMember ? `For ${session.email}.` : undefined}
      />
      {session.status === 'arriving' && (
        <Loading label="Checking your link…">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="mt-4 h-9 w-full" />
        </Loading>
      )}
      {isMember && <NewPasswordForm email={session.email} isFirst={session.needsPassword} next={next} />}
      {session.status === 'visitor' && email !== '' && (
        <div className="space-y-4">
          <p className="text-14 text-ink-2">We sent an email to {email}, if it has an account here.</p>
          <CodeForm email={email} type="recovery" label="6-digit code" />
        </div>
      )}
      {session.status === 'visitor' && email === '' && (
        <div className="space-y-4">
          <Notice tone="bad">
            <p>{mailLinkError(location) || 'Open the link from your email to choose a new password.'}</p>
          </Notice>
          <LinkButton to={`/auth?tab=forgot&next=${encodeURIComponent(next)}`} variant="primary">
            Send a new link
          </LinkButton>
        </div>
      )}
    </div>
  );
}

/** The address that the form before this page asked a mail for; '' where one comes from elsewhere. */
function emailIn(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('email' in state)) return '';
  return typeof state.email === 'string' ? state.email : '';
}

function NewPasswordForm({ email, isFirst, next }: { email: string; isFirst: boolean; next: string }) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const navigate = useNavigate();
  const call = useAsyncAction(changePassword, () => {
    toast(isFirst ? 'Your password is saved.' : 'Your password is changed.', { note: 'Other devices are signed out.' });
    void navigate(next, { replace: true });
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = newPasswordError(password);
    setProblem(found);
    if (found === '') call.run({ password, currentPassword: '' });
    else focusFirstErrorSoon(event.currentTarget);
  };
  // The mail's proof is good for minutes, and a session from a password has none.
  if (isCurrentPasswordError(call.error)) return <NewProof email={email} next={next} onDone={call.reset} />;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <Field label={isFirst ? 'Password' : 'New password'} error={problem}>
        {(control) => (
          <PasswordInput
            {...control}
            name="new-password"
            autoComplete="new-password"
            placeholder={`Create a password (min. ${PASSWORD_MIN} characters)`}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setProblem('');
            }}
          />
        )}
      </Field>
      {call.error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(call.error)}</p>
        </Notice>
      )}
      <Button type="submit" variant="primary" className="w-full" disabled={password === ''} pending={call.pending}>
        Save the password
      </Button>
    </form>
  );
}

/** Another mail, where none was used in the last ten minutes. Its code leads back to the form, which has kept what was typed. */
function NewProof({ email, next, onDone }: { email: string; next: string; onDone: () => void }) {
  const [sent, setSent] = useState(false);
  return (
    <div className="space-y-4">
      <p className="text-14 text-ink-2">
        {sent
          ? `We sent an email to ${email}.`
          : 'To save your password, first confirm that the address is yours. What you typed is kept.'}
      </p>
      {sent && mailsIncludeCode ? (
        <CodeForm email={email} type="recovery" label="6-digit code" onDone={onDone} />
      ) : (
        <MailButton
          variant="primary"
          onSend={(captchaToken) => sendRecovery({ email, next, captchaToken })}
          onSent={() => setSent(true)}
        >
          {mailsIncludeCode ? 'Email me a code' : 'Email me a link'}
        </MailButton>
      )}
    </div>
  );
}
