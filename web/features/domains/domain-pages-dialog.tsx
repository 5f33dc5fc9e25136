import { useState } from 'react';
import type { Domain } from '#contract/domains.ts';
import { api } from '#web/shared/api/api.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { DOMAIN_QUERIES, domainPath } from './queries.ts';

const FIELD = { ...VERBATIM, inputMode: 'url', dir: 'ltr', className: 'rtl:text-end' } as const;

/** Asks where the root of a domain and unknown codes lead. */
export function DomainPagesDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const [rootUrl, setRootUrl] = useState(domain.rootUrl);
  const [notFoundUrl, setNotFoundUrl] = useState(domain.notFoundUrl);
  const save = useSend(
    () =>
      api<Domain>(domainPath(domain.name), {
        method: 'PATCH',
        body: { rootUrl: rootUrl.trim(), notFoundUrl: notFoundUrl.trim() },
      }),
    DOMAIN_QUERIES,
    () => {
      toast('Domain saved.');
      onClose();
    },
  );
  const errors = serverErrors(save.error, ['rootUrl', 'notFoundUrl']);
  return (
    <FormDialog
      title="Root and unknown codes"
      action="Save domain"
      pending={save.isPending}
      errors={errors}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <p className="font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">{domain.displayName}</p>
      <TextField
        {...FIELD}
        label="Root (optional)"
        hint={`Where ${domain.displayName} itself leads. Without it, a small page says what the domain is for.`}
        placeholder="https://example.com"
        error={errors.at('rootUrl')}
        value={rootUrl}
        onText={setRootUrl}
      />
      <TextField
        {...FIELD}
        label="Unknown codes (optional)"
        hint="Where visitors go when no link has the code. Without it, visitors see an error page."
        placeholder="https://example.com/not-found"
        error={errors.at('notFoundUrl')}
        value={notFoundUrl}
        onText={setNotFoundUrl}
      />
    </FormDialog>
  );
}
