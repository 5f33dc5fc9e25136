import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { authErrorMessage } from '#web/shared/sign-in/auth-api.ts';
import { useCheckedText } from '#web/shared/sign-in/auth-checked-text.ts';
import { codeError } from '#web/shared/sign-in/auth-validation.ts';
import { OneTimeCodeField } from '#web/shared/sign-in/one-time-code-field.tsx';
import { QrSymbol } from '#web/shared/qr/qr-symbol.tsx';
import {
  beginApp,
  createRecoveryCodes,
  enterCode,
  type NewApp,
} from '#web/shared/sign-in/second-factor.ts';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

/** Sets up an app in three steps: the proof, the code that the app shows, the recovery codes. */
export function SetUpAppDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const [begun, setBegun] = useState<{ app: NewApp; password: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />;
  if (begun !== null) return <ConfirmAppDialog {...begun} onDone={setCodes} onClose={onClose} />;
  return (
    <ProofDialog
      title="Set up an authenticator app"
      action="Continue"
      email={email}
      send={beginApp}
      onDone={(app, password) => setBegun({ app, password })}
      onClose={onClose}
    >
      You need an app that shows codes, such as the password manager of your phone. Your other
      devices are signed out.
    </ProofDialog>
  );
}

function ConfirmAppDialog({
  app: { id, totp },
  password,
  onDone,
  onClose,
}: {
  app: NewApp;
  password: string;
  onDone: (codes: string[]) => void;
  onClose: () => void;
}) {
  const code = useCheckedText(codeError);
  const [isOn, setOn] = useState(false);
  const confirm = useMutation({
    mutationFn: async () => {
      // Another try after a failure of the second request must not enter the code again.
      if (!isOn) await enterCode(id, code.text);
      setOn(true);
      return createRecoveryCodes(password);
    },
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title="Scan this with your app"
      action="Turn on"
      pending={confirm.isPending}
      errors={{ error: confirm.error, rest: '' }}
      onSubmit={() => code.check() && confirm.mutate()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4 sm:flex-row">
        <QrSymbol
          text={totp.uri}
          margin={4}
          label="QR code for your authenticator app"
          // Dark on white in every theme, because apps need the contrast.
          className="size-44 shrink-0 self-center rounded-md border border-line bg-paper text-on-paper forced-color-adjust-none"
        />
        <div className="min-w-0 flex-1 space-y-2">
          <p className="text-14 text-ink-2">Or enter this key in the app:</p>
          <CodeToCopy text={totp.secret} label="Copy key" />
        </div>
      </div>
      <OneTimeCodeField
        label="Code that the app shows"
        code={code}
        error={authErrorMessage(confirm.error)}
        onChange={confirm.reset}
      />
    </FormDialog>
  );
}
