import { useState } from 'react';
import type { Domain } from '#contract/domains.ts';
import { api, errorField } from '#web/shared/api/api.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { DOMAIN_QUERIES } from './queries.ts';

/** Members paste an address as often as a name. */
const nameIn = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .toLowerCase();

/** Asks for the name of a domain. If a website or mail would stop there, it asks again. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const add = useSend(
    (body: { name: string; confirmed?: boolean }) =>
      api<Domain>('/api/domains', { method: 'POST', body }),
    DOMAIN_QUERIES,
    ({ displayName: shown }) => {
      toast(`${shown} added. Enter its DNS records next.`);
      onClose();
    },
    { waits: true },
  );
  const name = nameIn(text);
  const warning = errorField(add.error) === 'confirmed' ? add.error : null;
  const required = useRequired({
    name: name.includes('.') ? false : 'Enter a domain, such as go.example.com.',
  });
  const errors = serverErrors(warning === null ? add.error : null, ['name']);
  return (
    <FormDialog
      title="Add domain"
      action={warning === null ? 'Add domain' : 'Add anyway'}
      tone={warning === null ? 'primary' : 'danger'}
      pending={add.isPending}
      errors={errors}
      onSubmit={() =>
        required.check() && add.mutate({ name, ...(warning !== null && { confirmed: true }) })
      }
      onClose={onClose}
    >
      <TextField
        {...VERBATIM}
        label="Domain"
        hint="A subdomain such as go.example.com, on which nothing else runs."
        error={required.at('name') || errors.at('name')}
        inputMode="url"
        dir="ltr"
        placeholder="go.example.com"
        className="font-mono rtl:text-end"
        value={text}
        onText={(typed) => {
          setText(typed);
          add.reset();
        }}
      />
      {warning !== null && <Notice tone="warn">{warning.message}</Notice>}
    </FormDialog>
  );
}
