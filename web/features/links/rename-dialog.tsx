import { useState } from 'react';
import type { LinkChange, ListedLink } from '#contract/links/links.ts';
import { ALIAS_MAX, EARLIER_CODES_MAX } from '#contract/limits.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { keyPlace } from './key-place.ts';
import { useUpdateLink } from './queries.ts';

export function RenameDialog({ link, onClose }: { link: ListedLink; onClose: () => void }) {
  const current = codeOf(link.short_url);
  const [code, setCode] = useState(current);
  const rename = useUpdateLink(() => {
    toast(`Link renamed. ${current} keeps working.`);
    onClose();
  });
  const save = (change: LinkChange): void => rename.mutate({ code: link.short_code, change });
  const isFull = link.earlier_codes.length >= EARLIER_CODES_MAX;
  const required = useRequired({
    code:
      (code.trim() === '' && 'Enter a code.') ||
      (code.trim() === current && 'This is the link’s code already. Enter another one.'),
  });
  const errors = serverErrors(rename.error, isFull ? [] : ['customCode']);
  return (
    <FormDialog
      title="Rename link"
      action={isFull ? null : 'Rename link'}
      pending={rename.isPending}
      errors={errors}
      onSubmit={() => required.check() && save({ customCode: code.trim() })}
      onClose={onClose}
    >
      {isFull ? (
        <p className="text-14 text-ink-2">
          This link has {EARLIER_CODES_MAX} earlier codes, as many as a link can have. You can go
          back to one of them.
        </p>
      ) : (
        <TextField
          {...VERBATIM}
          label="New code"
          hint={`${current} keeps redirecting, and its clicks count for this link.`}
          error={required.at('code') || errors.at('customCode')}
          value={code}
          maxLength={ALIAS_MAX}
          className="font-mono"
          onText={setCode}
        />
      )}
      {link.earlier_codes.length > 0 && (
        <EarlierCodes link={link} disabled={rename.isPending} onUse={save} />
      )}
    </FormDialog>
  );
}

function EarlierCodes({
  link,
  disabled,
  onUse,
}: {
  link: ListedLink;
  disabled: boolean;
  onUse: (change: LinkChange) => void;
}) {
  return (
    <section aria-label="Earlier codes">
      <h3 className="mb-1.5 text-13 font-medium text-ink">Earlier codes, which keep working</h3>
      <ul className="divide-y divide-line rounded-md border border-line">
        {link.earlier_codes.map((earlier) => {
          const { code, domain, label } = keyPlace(earlier, link);
          return (
            <li key={earlier} className="flex min-h-10.5 items-center gap-3 px-3 py-1.5">
              <span className="min-w-0 flex-1 font-mono text-14 [overflow-wrap:anywhere] text-ink-2">
                {label}
              </span>
              {domain !== null && (
                <Button
                  size="sm"
                  disabled={disabled}
                  aria-label={`Use ${label} again`}
                  onClick={() =>
                    onUse({ customCode: code, ...(domain !== link.domain && { domain }) })
                  }
                >
                  Use again
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
