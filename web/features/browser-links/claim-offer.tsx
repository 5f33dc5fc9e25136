import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ClaimResponse } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { plural, wordFor } from '#contract/language.ts';
import { recoverFocus } from '#web/ui/use-heading-focus.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { BrowserLinkRows } from './browser-link-rows.tsx';
import { describeClaim } from './describe-claim.ts';
import {
  applyClaimLines,
  claimableLinks,
  postponeClaim,
  useBrowserLinks,
  type BrowserLink,
} from './stored-links.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

/**
 * Asks a member whether to add the links that this browser created before the sign-in. Renders
 * nothing if there are none.
 */
export function ClaimOffer({ onClaimed }: { onClaimed: () => void }) {
  const { links, askAfter } = useBrowserLinks();
  const [now] = useState(() => Date.now());
  const [listed, setListed] = useState(false);
  const dismiss = useRef<HTMLButtonElement>(null);
  const claim = useMutation({
    mutationFn: (claimed: readonly BrowserLink[]) =>
      api<ClaimResponse>('/api/links/claim', {
        method: 'POST',
        body: { links: claimed.map(({ code, claimToken }) => ({ code, token: claimToken })) },
      }),
    onSuccess: ({ lines }) => {
      applyClaimLines(lines);
      announce(describeClaim(lines));
      // The pressed button disappears unless some links remain.
      dismiss.current?.focus({ preventScroll: true });
      onClaimed();
    },
  });
  const open = askAfter > now ? [] : claimableLinks(links, now);
  // While a request runs, this shows the requested links, because the list changes shortly before
  // the result arrives.
  const offered = claim.isPending ? claim.variables : open;
  const result = claim.data === undefined ? '' : describeClaim(claim.data.lines);
  if (offered.length === 0 && result === '') return null;
  return (
    <Card className="px-4 py-3 sm:px-5">
      <section aria-label="Links made in this browser">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-72 text-14">
            {result !== '' && <p className="text-ink">{result}</p>}
            {result === '' && (
              <p className="text-ink-2">
                {plural(offered.length, 'link was', 'links were')} made in this browser before you
                signed in. Add {wordFor(offered.length, 'it', 'them')} to your account?
              </p>
            )}
            <ErrorText className="mt-1">{claim.error?.message}</ErrorText>
          </div>
          <div className="flex flex-wrap gap-2">
            {offered.length > 0 && (
              <>
                <Button size="sm" aria-expanded={listed} onClick={() => setListed(!listed)}>
                  {listed ? 'Hide links' : 'Show links'}
                </Button>
                <Button
                  size="sm"
                  variant="primary"
                  pending={claim.isPending}
                  onClick={() => claim.mutate(offered)}
                >
                  {result === '' ? `Add ${plural(offered.length, 'link')}` : 'Try again'}
                </Button>
              </>
            )}
            <Button
              ref={dismiss}
              size="sm"
              variant="ghost"
              onClick={() => {
                claim.reset();
                postponeClaim(Date.now());
                recoverFocus(document.activeElement);
              }}
            >
              {offered.length > 0 ? 'Not now' : 'Close'}
            </Button>
          </div>
        </div>
        {listed && offered.length > 0 && (
          <div className="mt-2 border-t border-line">
            <BrowserLinkRows links={offered} />
          </div>
        )}
      </section>
    </Card>
  );
}
