import { useState } from 'react';
import type { FormEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { useSession } from '#web/shared/session.ts';
import { useCall } from '#web/shared/use-call.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Field, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { PageHeading } from '#web/ui/heading.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { CodeForm } from './code-form.tsx';
import { changePassword, messageOf } from './calls.ts';
import { Notice } from './notice.tsx';
import { PasswordInput } from './password-input.tsx';
import { linkProblem, newPasswordProblem } from './rules.ts';

/** Where the link of a recovery mail leads: it has signed the person in, who now chooses a new password. */
export function ResetPage() {
  const session = useSession();
  const { hash, state } = useLocation();
  const email = emailIn(state);
  return (
    <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
      <PageHeading title="New password" hint={session.status === 'member' ? `For ${session.email}.` : undefined} />
      {session.status === 'arriving' && (
        <Loading label="Checking your link…">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="mt-4 h-9 w-full" />
        </Loading>
      )}
      {session.status === 'member' && <NewPasswordForm />}
      {session.status === 'visitor' && email !== '' && (
        <div className="space-y-4">
          <p className="text-14 text-ink-2">We sent a mail to {email}, if it has an account here.</p>
          <CodeForm email={email} type="recovery" />
        </div>
      )}
      {session.status === 'visitor' && email === '' && (
        <div className="space-y-4">
          <Notice tone="bad">
            <p>{linkProblem(hash) === '' ? 'Open the link from your email to choose a new password.' : linkProblem(hash)}</p>
          </Notice>
          <LinkButton to="/auth?tab=forgot" variant="primary">
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

function NewPasswordForm() {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const navigate = useNavigate();
  const call = useCall(changePassword, () => {
    toast('Your password is changed.', { note: 'Other devices are signed out.' });
    void navigate('/dashboard');
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = newPasswordProblem(password);
    setProblem(found);
    if (found === '') call.run(password);
    else focusFirstErrorSoon(event.currentTarget);
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <Field label="New password" error={problem}>
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
          <p>{messageOf(call.error)}</p>
        </Notice>
      )}
      <Button type="submit" variant="primary" className="w-full" disabled={password === ''} pending={call.pending}>
        Save the password
      </Button>
    </form>
  );
}
