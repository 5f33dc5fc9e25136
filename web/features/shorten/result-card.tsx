import { previewPathOf } from '#contract/link-key.ts';
import { Eye } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ShortenResponse } from '#contract/links.ts';
import { readableUrl } from '#web/shared/format.ts';
import { LinkAvatar, ShortUrl, TargetUrl } from '#web/shared/link-parts.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { QrCode } from '#web/shared/qr-code.tsx';

/**
 * A new short link with its actions: copy, preview and QR code. With `takeFocus` the focus moves to
 * Copy.
 */
export function ResultCard({
  link,
  takeFocus,
  member,
}: {
  link: ShortenResponse;
  takeFocus: boolean;
  member: boolean;
}) {
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takeFocus) actions.current?.querySelector('button')?.focus();
  }, [takeFocus]);
  return (
    <Card className="animate-appear">
      <section
        aria-label="Your short link"
        className="grid gap-6 p-4 sm:grid-cols-[1fr_auto] sm:p-6"
      >
        <div className="flex min-w-0 flex-col justify-between gap-6">
          <div className="flex min-w-0 gap-3">
            <LinkAvatar target={link.longUrl} className="mt-6.5 max-sm:hidden" />
            <div className="min-w-0">
              <h2 className="text-13 text-ink-3">Your short link</h2>
              <p className="mt-1 font-mono text-20 font-medium tracking-tight [overflow-wrap:anywhere] sm:text-32">
                <ExternalLink href={link.shortUrl} className="text-ink hover:text-accent">
                  <ShortUrl url={link.shortUrl} code={link.code} />
                </ExternalLink>
              </p>
              <p
                dir="ltr"
                data-tooltip={readableUrl(link.longUrl)}
                className="mt-1 truncate text-14 leading-6 text-ink-3 rtl:text-end"
              >
                <TargetUrl url={link.longUrl} />
              </p>
            </div>
          </div>
          <div ref={actions} className="flex flex-wrap gap-2">
            <CopyButton text={link.shortUrl} variant="primary" />
            <ExternalLink href={previewPathOf(link.code)} className={buttonClass()}>
              <Eye className="size-4" />
              Preview
            </ExternalLink>
          </div>
        </div>
        <QrCode code={link.code} own={member} />
      </section>
    </Card>
  );
}
