import { isCurrentPasswordError } from '#web/shared/auth-api.ts';
import { passkeyError } from '#web/shared/passkeys.ts';
import { useSend } from '#web/shared/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { Form } from '#web/ui/form.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import {
  CurrentPasswordField,
  ENTER_PASSWORD,
  proofBeforeForm,
  useIdentityCheck,
} from './identity-check.tsx';
import { addPasskey, PASSKEYS } from './passkey-queries.ts';

/** Asks for a proof, and then lets the browser create a passkey. */
export function AddPasskeyForm({ email, onDone }: { email: string; onDone: () => void }) {
  const check = useIdentityCheck();
  const add = useSend(addPasskey, [PASSKEYS], () => {
    toast('Passkey added. You can now sign in with it.');
    onDone();
  });
  const required = useRequired({
    current: check.method === 'password' && check.password === '' && ENTER_PASSWORD,
  });
  const message = add.error === null ? '' : passkeyError(add.error);
  const isAboutCurrent = isCurrentPasswordError(add.error);
  const proof = proofBeforeForm(check, email);
  if (proof !== null) return proof;
  return (
    <Form
      error={add.error}
      className="flex flex-col gap-5"
      onSubmit={() => {
        if (!required.check()) return;
        add.mutate(check.password, {
          onError: (error) => {
            if (check.method !== 'password' && isCurrentPasswordError(error)) check.restart();
          },
        });
      }}
    >
      <p className="text-14 text-ink-2">
        Your browser asks where to keep the passkey. We’ll email you that it was added.
      </p>
      <CurrentPasswordField
        check={check}
        error={required.at('current') || (isAboutCurrent ? message : '')}
      />
      <DialogActions error={isAboutCurrent ? '' : message}>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={add.isPending}>
          Create passkey
        </Button>
      </DialogActions>
    </Form>
  );
}
