import { ALIAS_MAX } from '#contract/limits.ts';
import { scanUrl, shortUrlOn } from '#contract/codes/link-key.ts';
import { domainOrigin } from '#web/shared/link-settings/domain-choices.ts';
import { ShortUrl } from '#web/shared/links/link-parts.tsx';
import { QrSymbol } from '#web/shared/qr/qr-symbol.tsx';

/** The length of a code that the server chooses. */
const CODE_LENGTH = 7;

/** The short URL and the QR code that a new link with this alias gets. */
export function LinkPreview({ alias, domain }: { alias: string; domain: string }) {
  const origin = domainOrigin(domain);
  const isChosen = alias !== '';
  const code = isChosen ? alias : '·'.repeat(CODE_LENGTH);
  return (
    <aside
      aria-label="Preview of the short URL"
      className="flex items-center gap-4 rounded-md border border-line bg-surface p-3 sm:w-44 sm:flex-col sm:sticky sm:top-4 sm:items-stretch sm:self-start"
    >
      <div className="shrink-0 overflow-hidden rounded-md border border-line bg-paper p-1.5 text-on-paper">
        <QrSymbol
          text={scanUrl(shortUrlOn(origin, isChosen ? alias : 'x'.repeat(ALIAS_MAX)))}
          margin={2}
          // Nobody can scan the code of a link that has none yet.
          className={`size-20 sm:size-full ${isChosen ? '' : 'opacity-25 blur-[3px]'}`}
        />
      </div>
      <div className="min-w-0">
        <p dir="ltr" className="font-mono text-14 font-medium [overflow-wrap:anywhere]">
          <ShortUrl url={shortUrlOn(origin, code)} />
        </p>
        {!isChosen && (
          <p className="mt-1 text-13 text-ink-3">Without an alias, we choose the code.</p>
        )}
      </div>
    </aside>
  );
}
