import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { LinkRow } from '#contract/links.ts';
import { errorField } from '#web/shared/api.ts';
import { readableUrl } from '#web/shared/format.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { buildLinkChange, toDateTimeLocal } from './link-change.ts';
import { useUpdateLink } from './queries.ts';

/** Edits a link's target and end date. The short code cannot change, because people already have it. */
export function EditDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const [longUrl, setLongUrl] = useState(link.long_url);
  const [end, setEnd] = useState(toDateTimeLocal(link.expires_at));
  const form = useRef<HTMLFormElement>(null);
  const save = useUpdateLink(() => {
    toast('Link saved.');
    onClose();
  });
  const field = errorField(save.error);
  const message = save.error?.message;
  useEffect(() => {
    if (save.error !== null) focusFirstError(form.current);
  }, [save.error]);
  const change = buildLinkChange(link, longUrl.trim(), end);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change !== null) save.mutate({ code: link.short_code, change });
  };
  return (
    <Dialog open onClose={onClose} title="Edit link">
      <form ref={form} noValidate onSubmit={submit} className="space-y-4">
        <p className="font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">{readableUrl(link.short_url)}</p>
        <Field label="Target" error={field === 'longUrl' ? message : undefined}>
          {(control) => (
            <Input
              {...control}
              value={longUrl}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setLongUrl(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="End date (optional)"
          hint="After this time the link stops redirecting and shows that it has expired."
          error={field === 'expiresAt' ? message : undefined}
        >
          {(control) => <Input {...control} type="datetime-local" value={end} onChange={(event) => setEnd(event.target.value)} />}
        </Field>
        {save.error !== null && field !== 'longUrl' && field !== 'expiresAt' && (
          <p role="alert" className="text-13 text-bad">
            {message}
          </p>
        )}
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={change === null || longUrl.trim() === ''} pending={save.isPending}>
            Save link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
