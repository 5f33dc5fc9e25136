import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DeleteAccountRequest } from '#contract/account/account.ts';
import { api, errorCode } from '#web/shared/api/api.ts';
import { config } from '#web/shared/page/config.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { signOut } from '#web/shared/session/session.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { Form } from '#web/ui/form.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioOption } from '#web/ui/radio-option.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { CurrentPasswordField, proofBeforeForm, useProvenChange } from './identity-check.tsx';

const PHRASE = 'delete my account';
/**
 * The server cannot check the password of a hosted service, so it requires a recent sign-in
 * instead.
 */
const asksPassword = (): boolean => config.auth.mode === 'embedded';

/** Deletes the account. A dialog asks for proof of identity and what to do with the links. */
export function DeletePanel({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Panel
      title="Delete account"
      hint="Signs you out everywhere and permanently deletes your email address, plan and drafts."
    >
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
  const [links, setLinks] = useState<DeleteAccountRequest['links']>('keep');
  const [phrase, setPhrase] = useState('');
  const {
    check,
    change: remove,
    codeDialog,
    missing,
  } = useProvenChange(
    (_: void, password) => {
      const proof = password === '' ? {} : { currentPassword: password };
      const body = { confirm: PHRASE, links, ...proof };
      return api('/api/account', { method: 'DELETE', body });
    },
    async () => {
      await signOut().catch(() => undefined);
      toast('Your account has been deleted.');
      await navigate('/');
    },
  );
  const required = useRequired({
    current: asksPassword() && missing,
    phrase: phrase.trim().toLowerCase() !== PHRASE && `Type “${PHRASE}”.`,
  });
  const errors = serverErrors(remove.error, ['currentPassword', 'confirm']);
  const mustSignInAgain =
    !asksPassword() && errorCode(remove.error) === 'reauthentication_required';
  const proof = proofBeforeForm(check, email);
  if (proof !== null) return proof;
  return (
    <Form
      error={remove.error}
      className="flex flex-col gap-5"
      onSubmit={() => required.check() && remove.mutate()}
    >
      {codeDialog}
      <fieldset className="m-0 flex flex-col gap-1 border-0 p-0">
        <legend className="mb-2 text-13 font-medium">What happens to your links?</legend>
        <RadioOption
          name="links"
          checked={links === 'keep'}
          onSelect={() => setLinks('keep')}
          label="Keep the links"
          hint="They still redirect, without an owner. Nobody can edit them."
        />
        <RadioOption
          name="links"
          checked={links === 'remove'}
          onSelect={() => setLinks('remove')}
          label="Delete the links"
          hint="They show a “gone” page. Nobody else can use their codes."
        />
      </fieldset>
      {asksPassword() && (
        <CurrentPasswordField
          check={check}
          error={required.at('current') || errors.at('currentPassword')}
        />
      )}
      <TextField
        {...VERBATIM}
        label={`Type “${PHRASE}” to confirm`}
        error={required.at('phrase') || errors.at('confirm')}
        value={phrase}
        onText={setPhrase}
      />
      {errors.rest !== '' && (
        <Notice tone="bad">
          <p>{errors.rest}</p>
          {mustSignInAgain && (
            // After the sign-out, the page's guard opens the sign-in page, which returns here.
            <Button size="sm" onClick={() => void signOut().catch(() => undefined)}>
              Sign in again
            </Button>
          )}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" pending={remove.isPending}>
          Delete account
        </Button>
      </DialogActions>
    </Form>
  );
}
