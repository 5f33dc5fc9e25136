import { useEffect, useRef, useState } from 'react';
import { Button, MAIN_ACTION } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Form } from '#web/ui/form.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { authErrorMessage } from './auth-api.ts';
import { useCheckedText } from './auth-checked-text.ts';
import { codeError } from './auth-validation.ts';
import { OneTimeCodeField } from './one-time-code-field.tsx';
import { verifyOwnFactor } from './second-factor.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

type Kind = 'app' | 'recovery';
const FIELDS = {
  app: {
    label: 'Code from your authenticator app',
    hint: 'Six digits. A new code appears every 30 seconds.',
    other: 'Use a recovery code',
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of the ten codes that you saved. Each works once.',
    other: 'Use your authenticator app',
  },
} as const;

/** Asks for the second factor: a code of the app, or a recovery code. */
export function SecondFactorForm({ button, onDone }: { button: string; onDone?: () => void }) {
  const [kind, setKind] = useState<Kind>('app');
  return <CodeField key={kind} {...{ kind, setKind, button, onDone }} />;
}

function CodeField({
  kind,
  setKind,
  button,
  onDone,
}: {
  kind: Kind;
  setKind: (kind: Kind) => void;
  button: string;
  onDone: (() => void) | undefined;
}) {
  const code = useCheckedText(kind === 'app' ? codeError : recoveryCodeError);
  const enter = useAsyncAction<void, unknown>(() => verifyOwnFactor(code.text), onDone);
  const form = useRef<HTMLFormElement>(null);
  // The form that had the focus was replaced by this one.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const { label, hint, other } = FIELDS[kind];
  const message = authErrorMessage(enter.error);
  return (
    <Form
      ref={form}
      error={enter.error}
      className="space-y-4"
      onSubmit={() => code.check() && enter.run()}
    >
      {kind === 'app' ? (
        <OneTimeCodeField
          label={label}
          hint={hint}
          code={code}
          error={message}
          onChange={enter.reset}
        />
      ) : (
        <TextField
          {...VERBATIM}
          label={label}
          hint={hint}
          error={code.field.error || message}
          name="code"
          maxLength={40}
          className="font-mono tracking-widest"
          value={code.text}
          onText={(text) => {
            code.field.onText(text);
            enter.reset();
          }}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        className={`w-full ${MAIN_ACTION}`}
        pending={enter.pending}
      >
        {button}
      </Button>
      <button
        type="button"
        className={`text-13 ${textLinkClass}`}
        onClick={() => setKind(kind === 'app' ? 'recovery' : 'app')}
      >
        {other}
      </button>
    </Form>
  );
}

const recoveryCodeError = (code: string): string =>
  code.replaceAll(/[\s-]/g, '').length === 16 ? '' : 'Enter all 16 characters of the code.';
