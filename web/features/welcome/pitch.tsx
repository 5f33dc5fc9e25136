import { LinkButton } from '#web/ui/button.tsx';
import { ClickFacts } from './click-facts.tsx';
import { RedirectIllustration } from './redirect-illustration.tsx';
import { PlanCards } from './plan-cards.tsx';
import { AliasSample, ClicksSample, PreviewSample, QrSample } from './samples.tsx';
import type { ReactNode } from 'react';
import { ALIAS_MAX } from '#contract/limits.ts';

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

/** Why one would stay: what an account adds, what a click leaves behind, what it costs. `ad` stands between the parts. */
export function Pitch({ member, ad }: { member: boolean; ad: ReactNode }) {
  return (
    <div className="mt-20 space-y-20 sm:mt-28 sm:space-y-28">
      <RedirectIllustration />

      <section aria-labelledby="pitch-features">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <div className="max-w-[46ch]">
            <h2 id="pitch-features" className="text-24 font-semibold tracking-tight sm:text-32">
              A short link is a promise
            </h2>
            <p className="mt-2 text-16 text-ink-2">It leads where it said, every time. These four things keep it that way.</p>
          </div>
          {member ? (
            <LinkButton to="/dashboard">Go to my URLs</LinkButton>
          ) : (
            <LinkButton to="/auth?tab=sign-up">Sign up free</LinkButton>
          )}
        </div>
        <div className="mt-8 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
          <Feature title="Your own words" sample={<AliasSample />}>
            Members choose the ending: up to {ALIAS_MAX} letters, digits, hyphens and underscores. Once yours, it is never handed
            to anyone else, not even after you delete it.
          </Feature>
          <Feature title="Clicks, counted once" sample={<ClicksSample />}>
            Each click is counted exactly once. Bots and link previews are set aside and shown beside the total, not hidden in it.
          </Feature>
          <Feature title="A look before the leap" sample={<PreviewSample />}>
            Put a + behind any short link and see its full target first. Looking never counts as a click.
          </Feature>
          <Feature title="QR codes for paper" sample={<QrSample />}>
            Every link comes with a QR code. Download it as a PNG that is large and sharp enough to print.
          </Feature>
        </div>
      </section>

      {ad}

      <ClickFacts />
      <PlanCards member={member} />
    </div>
  );
}
