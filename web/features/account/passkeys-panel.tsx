import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { PASSKEY_NAME_MAX, PASSKEYS_MAX, type Passkey } from '#contract/sign-in/passkeys.ts';
import { formatAge, formatDate } from '#web/shared/texts/format.ts';
import { PASSKEYS, usePasskeys } from '#web/shared/sign-in/passkey-proof.tsx';
import { passkeyError, supportsPasskeys } from '#web/shared/sign-in/passkeys.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { SendDialog } from '#web/shared/api/send-dialog.tsx';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { addPasskey, removePasskey, renamePasskey } from './passkey-queries.ts';
import { ProofDialog } from './proof-dialog.tsx';

type Task = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** Lists the account's passkeys; adds, renames and removes them. */
export function PasskeysPanel({ email }: { email: string }) {
  const query = usePasskeys();
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  const passkeys = query.data;
  return (
    <Panel
      title="Passkeys"
      hint="Sign in with your fingerprint, face, screen lock or a security key."
    >
      {query.isError && <ErrorLine message="We couldn’t load your passkeys." query={query} />}
      {query.isPending && (
        <Loading label="Loading your passkeys…">
          <Skeleton className="h-5 w-64 max-w-full" />
        </Loading>
      )}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className="mb-4 divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              now={query.dataUpdatedAt}
              onTask={(kind) => setTask({ kind, passkey })}
            />
          ))}
        </ul>
      )}
      {passkeys !== undefined && (
        <AddButton count={passkeys.length} onOpen={() => setTask({ kind: 'add' })} />
      )}
      {task?.kind === 'add' && <AddDialog email={email} onClose={close} />}
      {task?.kind === 'rename' && <RenameDialog passkey={task.passkey} onClose={close} />}
      {task?.kind === 'remove' && <RemoveDialog passkey={task.passkey} onClose={close} />}
    </Panel>
  );
}

function AddButton({ count, onOpen }: { count: number; onOpen: () => void }): ReactNode {
  if (!supportsPasskeys())
    return <p className="text-13 text-ink-3">This browser cannot create passkeys here.</p>;
  if (count >= PASSKEYS_MAX)
    return (
      <p className="text-13 text-ink-3">
        You have reached the limit of {PASSKEYS_MAX} passkeys. Remove one to add another.
      </p>
    );
  return <Button onClick={onOpen}>Add a passkey…</Button>;
}

function AddDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <ProofDialog
      title="Add a passkey"
      action="Create passkey"
      email={email}
      send={addPasskey}
      describeError={passkeyError}
      onDone={() => {
        void reloadQueries(queries, PASSKEYS);
        toast('Passkey added. You can now sign in with it.');
        onClose();
      }}
      onClose={onClose}
    >
      Your browser asks where to keep the passkey. We’ll email you that it was added.
    </ProofDialog>
  );
}

const KINDS = {
  device: 'On a device or in its password manager',
  phone: 'On a phone or tablet',
  security_key: 'Security key',
} as const;

function PasskeyRow({
  passkey,
  now,
  onTask,
}: {
  passkey: Passkey;
  now: number;
  onTask: (kind: 'rename' | 'remove') => void;
}) {
  const { friendly_name: name, kind, created_at, last_used_at } = passkey;
  const facts = [
    kind && KINDS[kind],
    `Added ${formatDate(created_at)}`,
    last_used_at === undefined ? 'Not used yet' : `Last used ${formatAge(last_used_at, now)}`,
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="text-14 font-medium [overflow-wrap:anywhere]">{name}</h3>
        <p className="mt-1 text-13 text-ink-3">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Rename ${name}`} onClick={() => onTask('rename')}>
          Rename…
        </Button>
        <Button size="sm" aria-label={`Remove ${name}`} onClick={() => onTask('remove')}>
          Remove…
        </Button>
      </div>
    </li>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [name, setName] = useState(passkey.friendly_name);
  const rename = useSend(
    (text: string) => renamePasskey(passkey.id, text),
    [PASSKEYS],
    () => {
      toast('Passkey renamed.');
      onClose();
    },
  );
  return (
    <FormDialog
      title="Rename this passkey"
      action="Rename passkey"
      onSubmit={() => rename.mutate(name)}
      onClose={onClose}
      pending={rename.isPending}
      errors={{ error: rename.error, rest: '' }}
    >
      <TextField
        label="Name"
        maxLength={PASSKEY_NAME_MAX}
        value={name}
        onText={setName}
        error={rename.error?.message}
      />
    </FormDialog>
  );
}

const RemoveDialog = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => (
  <SendDialog
    title="Remove this passkey?"
    action="Remove passkey"
    send={() => removePasskey(passkey.id)}
    reloads={[PASSKEYS]}
    onDone={() => {
      toast('Passkey removed.');
      onClose();
    }}
    onClose={onClose}
  >
    <p className="[overflow-wrap:anywhere]">
      “{passkey.friendly_name}” no longer signs in. Where you are signed in, you stay signed in. You
      can also delete it from your device or password manager.
    </p>
  </SendDialog>
);
