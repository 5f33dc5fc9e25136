import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DeleteAccountRequest } from '#contract/account.ts';
import { api, ApiFailure } from '#web/shared/api.ts';
import { config } from '#web/shared/config.ts';
import { signOut } from '#web/shared/session.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioChoice } from '#web/ui/radio-choice.tsx';
import { CurrentPasswordField, MailCheck, useIdentityCheck } from './identity-check.tsx';

const WORDS = 'delete my account';
/** A hosted service knows the password and we do not: there, a sign-in of the last minutes is the proof. */
const asksPassword = config.auth.mode === 'embedded';

/** The end of the account, behind a dialog that asks who is there and what becomes of the links. */
export function DeletePanel({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Delete account" hint="Signs you out everywhere and removes your address, plan and drafts for good.">
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Delete your account?">
        <DeleteForm email={email} onCancel={() => setOpen(false)} />
      </Dialog>
    </Panel>
  );
}

function DeleteForm({ email, onCancel }: { email: string; onCancel: () => void }) {
  const navigate = useNavigate();
  const check = useIdentityCheck();
  const form = useRef<HTMLFormElement>(null);
  const [links, setLinks] = useState<DeleteAccountRequest['links']>('keep');
  const [words, setWords] = useState('');
  const remove = useMutation({
    mutationFn: () => {
      const proof = check.password === '' ? {} : { current_password: check.password };
      return api('/api/account', { method: 'DELETE', body: { confirm: WORDS, links, ...proof } });
    },
    onSuccess: async () => {
      await signOut().catch(() => undefined);
      toast('Your account has been deleted.');
      await navigate('/');
    },
    onError: (error) => {
      // The code was entered more than ten minutes ago.
      if (check.by === 'code' && fieldOf(error) === 'current_password') check.choosePassword();
    },
  });
  useEffect(() => {
    if (remove.error !== null) focusFirstError(form.current);
  }, [remove.error]);
  const at = fieldOf(remove.error);
  const said = remove.error?.message ?? '';
  const signInAgain = !asksPassword && codeOf(remove.error) === 'reauthentication_required';
  if (check.by === 'mail') return <MailCheck check={check} email={email} next="/settings" />;
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate();
      }}
    >
      <fieldset className="m-0 flex flex-col gap-1 border-0 p-0">
        <legend className="mb-2 text-13 font-medium">What happens to your links?</legend>
        <RadioChoice
          name="links"
          checked={links === 'keep'}
          onChoose={() => setLinks('keep')}
          label="Keep them working"
          hint="They redirect as before and belong to nobody. Nobody can edit them."
        />
        <RadioChoice
          name="links"
          checked={links === 'remove'}
          onChoose={() => setLinks('remove')}
          label="Remove them"
          hint="They answer that they are gone. Their codes are never given to anyone else."
        />
      </fieldset>
      {asksPassword && <CurrentPasswordField check={check} error={at === 'current_password' ? said : ''} />}
      <Field label={`Type “${WORDS}” to confirm`} error={at === 'confirm' ? said : ''}>
        {(control) => (
          <Input
            {...control}
            value={words}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </Field>
      {remove.isError && at !== 'current_password' && at !== 'confirm' && (
        <Notice tone="bad">
          <p>{said}</p>
          {signInAgain && (
            // The page for members sends a visitor to the sign-in, and back here.
            <Button size="sm" onClick={() => void signOut().catch(() => undefined)}>
              Sign in again
            </Button>
          )}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          variant="danger"
          pending={remove.isPending}
          disabled={words.trim().toLowerCase() !== WORDS || (asksPassword && check.by === 'password' && check.password === '')}
        >
          Delete account
        </Button>
      </div>
    </form>
  );
}

/** The member of the request that the server found at fault; '' for none. */
const fieldOf = (error: Error | null): string => (error instanceof ApiFailure ? (error.body.field ?? '') : '');
const codeOf = (error: Error | null): string => (error instanceof ApiFailure ? (error.body.code ?? '') : '');
