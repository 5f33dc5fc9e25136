import { shortUrlOn } from '#contract/codes/link-key.ts';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { config } from '#web/shared/page/config.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { ShortUrl, TargetText } from '#web/shared/links/link-parts.tsx';
import { recoverFocus } from '#web/ui/use-heading-focus.ts';
import { announce } from '#web/ui/announcer.ts';
import { iconButtonClass } from '#web/ui/button.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { removeBrowserLinks, type BrowserLink } from './stored-links.ts';

export function BrowserLinkRows({ links }: { links: readonly BrowserLink[] }) {
  const list = useRef<HTMLUListElement>(null);
  const remove = (link: BrowserLink): void => {
    removeBrowserLinks([link]);
    announce('Removed from this list.');
    // The pressed button disappears with its row.
    if (links.length > 1) list.current?.focus();
    else recoverFocus(document.activeElement);
  };
  return (
    <ul ref={list} tabIndex={-1} aria-label="Links made in this browser" className="outline-none">
      {links.map((link) => {
        const shortUrl = shortUrlOn(config.shortOrigin, link.code);
        const short = readableUrl(shortUrl);
        return (
          <li
            key={link.code}
            className="flex items-center gap-3 border-b border-line py-2.5 last:border-b-0"
          >
            <div className="min-w-0 flex-1">
              <ExternalLink
                href={shortUrl}
                className="block truncate font-mono text-14 font-medium text-ink hover:text-accent"
              >
                <ShortUrl url={shortUrl} />
              </ExternalLink>
              <TargetText url={link.longUrl} className="mt-0.5 text-13" />
            </div>
            <div className="flex shrink-0 gap-1">
              <CopyIcon text={shortUrl} name={`Copy ${short}`} />
              <button
                type="button"
                aria-label={`Remove ${short} from this list`}
                data-tooltip="Remove from this list"
                onClick={() => remove(link)}
                className={iconButtonClass}
              >
                <X className="size-4" />
              </button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
