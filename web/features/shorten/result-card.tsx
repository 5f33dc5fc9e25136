import { previewUrlOf } from '#contract/codes/link-key.ts';
import { ChartNoAxesColumn, Eye, Pencil } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import type { ShortenResponse } from '#contract/links/links.ts';
import { codeOf, readableUrl } from '#web/shared/texts/format.ts';
import { ShortUrl, TargetText } from '#web/shared/links/link-parts.tsx';
import { Arc } from '#web/ui/arc.tsx';
import { Button, buttonClass, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { QrCode } from '#web/shared/qr/qr-code.tsx';
import { foldAddress } from './fold-address.ts';

/**
 * A new short link with its actions: copy, preview and QR code, and `actions` of members. With
 * `takeFocus` the focus moves to Copy.
 */
export function LinkResult({
  link,
  takeFocus,
  isNew = false,
  member,
  status,
  actions,
}: {
  link: ShortenResponse;
  takeFocus: boolean;
  /** True for a link just made: its long address folds into the code. */
  isNew?: boolean;
  member: boolean;
  /** What was done with the link automatically. It shows next to the heading. */
  status?: ReactNode;
  actions?: ReactNode;
}) {
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takeFocus) buttons.current?.querySelector('button')?.focus();
  }, [takeFocus]);
  const line = useRef<HTMLParagraphElement>(null);
  // Before the first paint, so that the short URL does not flash.
  useLayoutEffect(() => {
    if (isNew && line.current !== null) foldAddress(line.current, readableUrl(link.longUrl));
  }, [isNew, link.longUrl]);
  return (
    <section aria-label="Your short URL" className="grid gap-6 sm:grid-cols-[1fr_auto]">
      <div className="flex min-w-0 flex-col justify-between gap-6">
        <div className="relative flex min-w-0 gap-4">
          <Arc
            motion="draw"
            className="size-6 shrink-0 max-sm:absolute max-sm:end-0 sm:mt-5 sm:size-14"
          />
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 text-13 max-sm:pe-8">
              <h2 className="text-ink-3">Your short URL</h2>
              {status}
            </div>
            <p
              ref={line}
              dir="ltr"
              className="relative mt-1 font-mono text-20 font-medium tracking-tight [overflow-wrap:anywhere] sm:text-32 rtl:text-end"
            >
              <ExternalLink href={link.shortUrl} className="text-ink hover:text-accent">
                <ShortUrl url={link.shortUrl} />
              </ExternalLink>
            </p>
            <TargetText url={link.longUrl} className="mt-1 text-14 leading-6" />
          </div>
        </div>
        <div ref={buttons} className="flex flex-wrap gap-2">
          <CopyButton text={link.shortUrl} variant="primary" />
          <ExternalLink href={previewUrlOf(link.shortUrl)} className={buttonClass()}>
            <Eye className="size-4" />
            Preview
          </ExternalLink>
          {actions}
        </div>
      </div>
      <QrCode code={link.code} name={codeOf(link.shortUrl)} own={member} />
    </section>
  );
}

/** Shows the result in a card. */
export const ResultCard = (props: ComponentProps<typeof LinkResult>) => (
  <Card className="animate-appear p-4 sm:p-6">
    <LinkResult {...props} />
  </Card>
);

/** What members can do next with a new link. */
export const MemberActions = ({
  code,
  pending,
  onEdit,
}: {
  code: string;
  /** True while the form of the link loads. */
  pending: boolean;
  onEdit: () => void;
}) => (
  <>
    <Button pending={pending} onClick={onEdit}>
      <Pencil className="size-4" />
      Edit
    </Button>
    <LinkButton to={`/analytics/${encodeURIComponent(code)}`}>
      <ChartNoAxesColumn className="size-4" />
      Analytics
    </LinkButton>
  </>
);
