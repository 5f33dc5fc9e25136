import { useState } from 'react';
import type { Domain, DomainDetail } from '#contract/domains.ts';
import { plural, wordFor } from '#contract/language.ts';
import { api } from '#web/shared/api/api.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { DOMAIN_AND_LINK_QUERIES, domainPath, useDomainDetail } from './queries.ts';

/** Says what stops, and asks for the name of the domain, so that nobody deletes it by mistake. */
export function DeleteDomainDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const { name, displayName: shown } = domain;
  const detail = useDomainDetail(name);
  const [typed, setTyped] = useState('');
  const isTyped = [name, shown].includes(typed.trim().toLowerCase());
  const remove = useSend(
    () => api(domainPath(name), { method: 'DELETE', body: { name } }),
    DOMAIN_AND_LINK_QUERIES,
    () => {
      toast(`${shown} deleted.`);
      onClose();
    },
  );
  const required = useRequired({ name: isTyped ? false : `Type “${shown}”.` });
  const errors = serverErrors(remove.error, ['name']);
  return (
    <FormDialog
      title="Delete this domain?"
      action={detail.data === undefined ? null : 'Delete domain'}
      tone="danger"
      pending={remove.isPending}
      errors={errors}
      onSubmit={() => required.check() && remove.mutate(undefined)}
      onClose={onClose}
    >
      <QueryContent
        query={detail}
        failure="We couldn’t load what this would stop."
        loading="Counting links and clicks…"
        skeleton={<Skeleton className="h-10 w-full" />}
      >
        {(loaded) => (
          <>
            <p className="text-14 [overflow-wrap:anywhere] text-ink-2">
              {describeDeletion(loaded)}
            </p>
            <TextField
              {...VERBATIM}
              label={`Type “${shown}” to confirm`}
              error={required.at('name') || errors.at('name')}
              dir="ltr"
              className="font-mono rtl:text-end"
              value={typed}
              onText={setTyped}
            />
          </>
        )}
      </QueryContent>
    </FormDialog>
  );
}

function describeDeletion({
  displayName: shown,
  links,
  clicks30Days: clicks,
}: DomainDetail): string {
  if (links === 0) return `${shown} has no links. You can add it again later.`;
  return `${plural(links, 'link')} on ${shown} ${wordFor(links, 'stops', 'stop')} working at once, for good. ${wordFor(links, 'It', 'They')} had ${plural(clicks, 'click')} in the last 30 days. Printed codes and links that you have sent lead nowhere afterwards, even if you add the domain again.`;
}
