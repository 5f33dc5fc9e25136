import { Check } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import type { ShortenRequest, ShortenResponse } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { copyWhenReady } from '#web/shared/page/copy-when-ready.ts';
import { LinkDetails } from '#web/shared/link-settings/link-details.tsx';
import { MoreOptions } from '#web/shared/link-settings/more-options.tsx';
import { chosenDomain } from '#web/shared/link-settings/domain-choices.ts';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { announce } from '#web/ui/announcer.ts';
import { ErrorText } from '#web/ui/error-text.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { AliasField, domainOf } from './alias-field.tsx';
import { toShortenRequest } from './typed-draft.ts';
import { useLinkForm } from './use-link-form.ts';
import { LinkPreview } from './link-preview.tsx';
import { MemberActions, LinkResult } from './result-card.tsx';

const NO_DESTINATION = 'Paste the link that you want to shorten.';

/**
 * A member's form for a new link with all its fields. The result takes its place, copied already
 * where the browser allows that.
 */
export function NewLinkDialog({
  quotaChanges,
  onCreated,
  onUpgrade,
  edit,
  onClose,
  children,
}: {
  /** Counts the changes of the quota. A change clears an error about the quota. */
  quotaChanges: number;
  onCreated: (link: ShortenResponse) => void;
  onUpgrade: () => void;
  /** Opens the form of the new link. */
  edit: { pending: boolean; run: (code: string) => void };
  onClose: () => void;
  /** A dialog over this one. */
  children: ReactNode;
}) {
  const domains = useDomainList();
  const [isMissing, setMissing] = useState(false);
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const [created, setCreated] = useState<ShortenResponse | null>(null);
  const form = useLinkForm(
    (body: ShortenRequest) => {
      const response = api<ShortenResponse>('/api/shorten', { method: 'POST', body });
      const copied = copyWhenReady(response.then(({ shortUrl }) => shortUrl));
      return response.then((link) => ({ link, copied }));
    },
    ({ link, copied }) => {
      setCreated(link);
      onCreated(link);
      void copied.then((isDone) => {
        setCopied(isDone);
        announce(`Your short URL is ${link.shortUrl}${isDone ? '. Copied!' : ''}`);
      });
    },
    quotaChanges,
  );
  const { draft, shorten, error } = form;
  const submit = (): void => {
    const isEmpty = draft.longUrl.trim() === '';
    setMissing(isEmpty);
    if (!isEmpty && !shorten.pending) shorten.run(toShortenRequest(draft));
  };
  const destination = useRef<HTMLInputElement>(null);
  useChange(created, () => destination.current?.focus());
  const startAgain = (): void => {
    setCreated(null);
    setCopied(null);
    form.clear();
  };

  if (created !== null)
    return (
      <FormDialog
        title="Link created"
        action="Create another"
        closeLabel="Done"
        width="reading"
        pending={false}
        onSubmit={startAgain}
        onClose={onClose}
      >
        <LinkResult
          link={created}
          takeFocus
          member
          status={<CopyStatus isCopied={isCopied} />}
          actions={
            <MemberActions
              code={created.code}
              pending={edit.pending}
              onEdit={() => edit.run(created.code)}
            />
          }
        />
      </FormDialog>
    );
  return (
    <FormDialog
      title="New link"
      action="Create link"
      width="reading"
      pending={shorten.pending}
      errors={{ error: shorten.error, rest: '' }}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-[1fr_auto] sm:gap-6">
        <div className="min-w-0 space-y-4">
          <TextField
            {...VERBATIM}
            ref={destination}
            label="Destination"
            placeholder="https://example.com/a-long-link"
            inputMode="url"
            dir="ltr"
            className="rtl:text-end"
            value={draft.longUrl}
            error={isMissing ? NO_DESTINATION : form.errorAt('longUrl')}
            onText={(longUrl) => {
              form.setLongUrl(longUrl);
              setMissing(false);
            }}
          />
          <AliasField {...domainOf(form)} list={domains} />
          <LinkDetails {...form.details} {...form.settings} />
          <MoreOptions
            longUrl={draft.longUrl}
            onLongUrl={(longUrl) => form.set({ longUrl })}
            {...form.settings}
          />
        </div>
        <LinkPreview alias={draft.alias} domain={chosenDomain(domains, draft.domain)} />
      </div>
      {error?.field === 'form' && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <ErrorText className="min-w-0 flex-1 basis-52">{error.text}</ErrorText>
          {error.upgradeRequired && (
            <VanishingButton size="sm" onClick={onUpgrade}>
              See plans
            </VanishingButton>
          )}
        </div>
      )}
      {children}
    </FormDialog>
  );
}

/** `isCopied` is null until the browser has answered. */
function CopyStatus({ isCopied }: { isCopied: boolean | null }) {
  if (isCopied === null) return null;
  return isCopied ? (
    <p className="inline-flex items-center gap-1 font-medium text-good">
      <Check className="size-4" />
      Copied
    </p>
  ) : (
    <p className="text-warn">Your browser blocked copying.</p>
  );
}
