import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { LinkRow } from '#contract/links.ts';
import { ALIAS_MAX, EARLIER_CODES_MAX } from '#contract/limits.ts';
import { errorField } from '#web/shared/api.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { useUpdateLink } from './queries.ts';

/** Gives a link another code, or one of its earlier codes again. */
export function RenameDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const [code, setCode] = useState(link.short_code);
  const form = useRef<HTMLFormElement>(null);
  const rename = useUpdateLink(() => {
    toast(`Link renamed. ${link.short_code} keeps working.`);
    onClose();
  });
  useEffect(() => {
    if (rename.error !== null) focusFirstError(form.current);
  }, [rename.error]);
  const save = (customCode: string): void =>
    rename.mutate({ code: link.short_code, change: { customCode } });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(code.trim());
  };
  const isFull = link.earlier_codes.length >= EARLIER_CODES_MAX;
  const isAtField = errorField(rename.error) === 'customCode' && !isFull;
  return (
    <Dialog open onClose={onClose} title="Rename link">
      <form ref={form} noValidate onSubmit={submit} className="space-y-4">
        {isFull ? (
          <p className="text-14 text-ink-2">
            This link has {EARLIER_CODES_MAX} earlier codes, as many as a link can have. You can go
            back to one of them.
          </p>
        ) : (
          <Field
            label="New code"
            hint={`${link.short_code} keeps redirecting, and its clicks count for this link.`}
            error={isAtField ? rename.error?.message : undefined}
          >
            {(control) => (
              <Input
                {...control}
                value={code}
                maxLength={ALIAS_MAX}
                className="font-mono"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
        )}
        {link.earlier_codes.length > 0 && (
          <section aria-label="Earlier codes">
            <h3 className="mb-1.5 text-13 font-medium text-ink">
              Earlier codes, which keep working
            </h3>
            <ul className="divide-y divide-line rounded-md border border-line">
              {link.earlier_codes.map((earlier) => (
                <li key={earlier} className="flex items-center gap-3 px-3 py-1.5">
                  <span className="min-w-0 flex-1 font-mono text-14 [overflow-wrap:anywhere] text-ink-2">
                    {earlier}
                  </span>
                  <Button
                    size="sm"
                    disabled={rename.isPending}
                    aria-label={`Use ${earlier} again`}
                    onClick={() => save(earlier)}
                  >
                    Use again
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {rename.error !== null && !isAtField && (
          <p role="alert" className="text-13 text-bad">
            {rename.error.message}
          </p>
        )}
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>Cancel</Button>
          {!isFull && (
            <Button
              type="submit"
              variant="primary"
              disabled={code.trim() === '' || code.trim() === link.short_code}
              pending={rename.isPending}
            >
              Rename link
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
