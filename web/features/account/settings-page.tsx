import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { AccountDeletion } from '#contract/account.ts';
import { api, apiText } from '#web/shared/api.ts';
import { signOut, useSession } from '#web/shared/session.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { PageHeading } from '#web/ui/heading.tsx';
import { Input } from '#web/ui/input.tsx';
import { RadioChoice } from '#web/ui/radio-choice.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { saveFile } from './save-file.ts';

const WORDS = 'delete my account';

/** What a member can do with the account itself: change the password, take the data along, leave. */
export function SettingsPage() {
  const session = useSession();
  return (
    <div className="mx-auto w-full max-w-reading">
      <PageHeading title="Settings" hint={session.status === 'member' ? `Signed in as ${session.email}` : ''} />
      <div className="flex flex-col gap-4">
        <PasswordPanel />
        <ExportPanel />
        <DeletePanel />
      </div>
    </div>
  );
}

function ExportPanel() {
  const json = useMutation({
    mutationFn: () => api<unknown>('/api/account/export'),
    onSuccess: (data) => saveFile(JSON.stringify(data, null, 2), 'application/json', 'hop-account.json'),
    onError: (error) => toast('The export could not be made.', { tone: 'bad', note: error.message }),
  });
  const csv = useMutation({
    mutationFn: () => apiText('/api/account/links.csv'),
    onSuccess: (text) => saveFile(text, 'text/csv', 'hop-links.csv'),
    onError: (error) => toast('The export could not be made.', { tone: 'bad', note: error.message }),
  });
  return (
    <Panel
      title="Your data"
      hint="Your profile, plan, links with their counts, and posts, as one JSON file; or the links alone as a table."
    >
      <div className="flex flex-wrap gap-2">
        <Button pending={json.isPending} onClick={() => json.mutate()}>
          Download my data
        </Button>
        <Button pending={csv.isPending} onClick={() => csv.mutate()}>
          Links as CSV
        </Button>
      </div>
    </Panel>
  );
}

function DeletePanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Delete account" hint="Signs you out everywhere and removes your address, plan and drafts for good.">
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Delete your account?">
        <DeleteForm onCancel={() => setOpen(false)} />
      </Dialog>
    </Panel>
  );
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const navigate = useNavigate();
  const [links, setLinks] = useState<AccountDeletion['links']>('keep');
  const [words, setWords] = useState('');
  const remove = useMutation({
    mutationFn: () => api('/api/account', { method: 'DELETE', body: { confirm: WORDS, links } }),
    onSuccess: async () => {
      await signOut().catch(() => undefined);
      toast('Your account has been deleted.');
      await navigate('/');
    },
  });
  return (
    <form
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
      <Field label={`Type “${WORDS}” to confirm`} error={remove.isError ? remove.error.message : ''}>
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
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" pending={remove.isPending} disabled={words.trim().toLowerCase() !== WORDS}>
          Delete account
        </Button>
      </div>
    </form>
  );
}
