import { lazy, Suspense, useState } from 'react';
import { PAGE_META } from '#contract/page-meta.ts';
import type { ShortenResponse } from '#contract/links.ts';
import { SubscriptionSkeleton } from '#web/features/plans/subscription-skeleton.tsx';
import { ResultCard } from '#web/features/shorten/result-card.tsx';
import { ShortenForm } from '#web/features/shorten/shorten-form.tsx';
import { Pitch } from '#web/features/welcome/pitch.tsx';
import { AdSlot } from '#web/shared/ad-slot.tsx';
import { useSession } from '#web/shared/session.ts';
import { useHeadingFocus } from '#web/shared/use-heading-focus.ts';
import { usePageTitle } from '#web/shared/use-page-title.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';

/** Falls back to an error line, so that the form stays usable when the members' part fails to load. */
const HomeMember = lazy(() =>
  import('./home-member.tsx').then(
    (m) => ({ default: m.HomeMember }),
    () => ({ default: LoadError }),
  ),
);

function LoadError() {
  return <ErrorLine message="Your plan could not be loaded." onRetry={() => window.location.reload()} />;
}

/** The home page: the form, its result, and the marketing content. */
export function HomePage() {
  usePageTitle(PAGE_META['/'].title);
  const heading = useHeadingFocus();
  const member = useSession().status === 'member';
  const [result, setResult] = useState<ShortenResponse | null>(null);
  const [upgrading, setUpgrading] = useState(false);
  return (
    <>
      <section className="pt-4 sm:pt-10">
        <h1 ref={heading} tabIndex={-1} className="max-w-[18ch] text-32 font-semibold tracking-tight sm:text-48">
          Long links, one hop.
        </h1>
        <p className="mt-3 max-w-[58ch] text-16 [text-wrap:balance] text-ink-2 sm:text-20">
          Paste a link that is too long to share. Get one that is short enough to say out loud.
        </p>
        <div className="mt-8 space-y-4">
          <ShortenForm member={member} onUpgrade={() => setUpgrading(true)} onShortened={setResult} />
          {result !== null && <ResultCard key={result.code} link={result} />}
          {member && (
            <Suspense fallback={<SubscriptionSkeleton />}>
              <HomeMember
                lastLink={result}
                upgrading={upgrading}
                onUpgrade={() => setUpgrading(true)}
                onClose={() => setUpgrading(false)}
              />
            </Suspense>
          )}
          {result !== null && <AdSlot place="result" />}
        </div>
      </section>
      <Pitch member={member} ad={<AdSlot place="home" />} />
    </>
  );
}
