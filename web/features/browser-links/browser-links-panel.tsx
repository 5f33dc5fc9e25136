import { useRef, useState } from 'react';
import { KEEP_LINK_CLAIMS_DAYS } from '#contract/limits.ts';
import { plural } from '#contract/language.ts';
import { recoverFocus } from '#web/ui/use-heading-focus.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';
import { BrowserLinkRows } from './browser-link-rows.tsx';
import { removeBrowserLinks, type BrowserLink } from './stored-links.ts';

export function BrowserLinksPanel({ links }: { links: readonly BrowserLink[] }) {
  const [confirming, setConfirming] = useState(false);
  const removeButton = useRef<HTMLButtonElement>(null);
  const removeAll = (): void => {
    removeBrowserLinks(links);
    announce('The list is empty. The links keep working.');
    recoverFocus(document.activeElement);
  };
  const cancel = (): void => {
    setConfirming(false);
    removeButton.current?.focus();
  };
  return (
    <Panel
      title="Links made in this browser"
      hint={
        <>
          Only this browser has this list.{' '}
          <Link to="/auth?tab=sign-up" className={textLinkClass}>
            Sign up
          </Link>{' '}
          within {KEEP_LINK_CLAIMS_DAYS} days to add the links to an account.
        </>
      }
      action={
        <Button
          ref={removeButton}
          size="sm"
          variant="ghost"
          className="max-sm:-ms-2.5"
          aria-expanded={confirming}
          onClick={() => setConfirming(!confirming)}
        >
          Remove all
        </Button>
      }
    >
      {confirming && (
        <div className="mb-5 flex flex-wrap items-center gap-2 text-14 text-ink-2">
          <p className="min-w-0 flex-1 basis-64">
            Remove {plural(links.length, 'link')} from this list? The links keep working, but you
            can no longer add them to an account.
          </p>
          <Button size="sm" variant="danger" onClick={removeAll}>
            Remove list
          </Button>
          <Button size="sm" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      <div className="-my-2.5">
        <BrowserLinkRows links={links} />
      </div>
    </Panel>
  );
}
