import type { ReactNode } from 'react';
import { ALIAS_MAX } from '#contract/limits.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { ClickFacts } from './click-facts.tsx';
import { useOwnPlan } from '#web/shared/use-me.ts';
import { PlanCards } from './plan-cards.tsx';
import { RedirectIllustration } from './redirect-illustration.tsx';
import { AliasSample, ClicksSample, PreviewSample, QrSample } from './samples.tsx';

function Feature({ title, sample, children }: { title: string; sample: ReactNode; children: ReactNode }) {
  return (
    <article className="flex min-w-0 flex-col bg-surface p-5 sm:p-6">
      <div className="mb-5 flex h-28 items-center justify-center overflow-hidden rounded-md bg-sunken px-4" aria-hidden="true">
        {sample}
      </div>
      <h3 className="text-16 font-medium">{title}</h3>
      <p className="mt-1.5 text-14 leading-6 text-ink-2">{children}</p>
    </article>
  );
}

/** The marketing part of the home page: features, click data, and plans unless Premium is the member's. `ad` appears between them. */
export function Pitch({ member, ad }: { member: boolean; ad: ReactNode }) {
  const plan = useOwnPlan();
  return (
    <div className="mt-20 space-y-20 sm:mt-28 sm:space-y-28">
      <RedirectIllustration />

      <section aria-labelledby="pitch-features">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <div className="max-w-[46ch]">
            <h2 id="pitch-features" className="text-24 font-semibold tracking-tight sm:text-32">
              Short links you can rely on
            </h2>
            <p className="mt-2 text-16 text-ink-2">Everything you need to share a link, and to see what happens to it.</p>
          </div>
          {member ? (
            <LinkButton to="/dashboard">Go to My URLs</LinkButton>
          ) : (
            <LinkButton to="/auth?tab=sign-up">Sign up for free</LinkButton>
          )}
        </div>
        <div className="mt-8 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
          <Feature title="Custom aliases" sample={<AliasSample />}>
            Members choose their own alias: up to {ALIAS_MAX} letters, digits, hyphens and underscores. Nobody else can ever take
            it, even if you delete the link.
          </Feature>
          <Feature title="Exact click counts" sample={<ClicksSample />}>
            Every click is counted exactly once. Bots and prefetches are counted separately and shown beside the total.
          </Feature>
          <Feature title="Previews" sample={<PreviewSample />}>
            Add a + to any short link to see its full target before you open it. Previews never count as clicks.
          </Feature>
          <Feature title="QR codes" sample={<QrSample />}>
            Every link has a QR code. Download it as a PNG that is large enough to print.
          </Feature>
        </div>
      </section>

      {ad}

      <ClickFacts />
      {(!member || plan === 'free') && <PlanCards member={member} />}
    </div>
  );
}
