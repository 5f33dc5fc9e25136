import { EXAMPLE } from '#web/shared/links/example-link.tsx';
import { shortHost } from '#web/shared/page/config.ts';
import { splitHost } from '#web/shared/texts/format.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Arc } from '#web/ui/arc.tsx';
import { HomeSection, sectionTextClass } from './home-section.tsx';

/** The preview page of a link, as a phone shows it. */
export function PreviewScene() {
  const { host, rest } = splitHost(EXAMPLE.target);
  return (
    <HomeSection
      id="previews"
      title="Look before you hop"
      pictureFirst
      picture={
        <div
          dir="ltr"
          className="-mb-8 w-72 max-w-full rounded-t-[2rem] border border-b-0 border-line-strong bg-canvas px-3 pt-3 sm:-mb-10"
        >
          <p
            dir="ltr"
            className="flex justify-center rounded-full bg-sunken px-3 py-1.5 font-mono text-12 text-ink-3"
          >
            <span className="truncate">{shortHost()}</span>
            <span className="shrink-0 text-ink">
              <span className="text-ink-3">/</span>
              {EXAMPLE.code}
              <span className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent">+</span>
            </span>
          </p>
          <div className="px-2 pt-5 pb-6">
            <div className="flex gap-3">
              <Arc className="size-14 shrink-0 [transform:matrix(0,1,1,0,0,0)]" />
              <div className="flex min-w-0 flex-col justify-between">
                <p className="font-mono text-12 text-ink-3">{EXAMPLE.code} goes to</p>
                <p dir="ltr" className="text-24 font-semibold tracking-tight">
                  {host}
                </p>
              </div>
            </div>
            <p dir="ltr" className="mt-3 truncate font-mono text-12 text-ink-2">
              {rest}
            </p>
            <p className={`mt-4 w-full ${buttonClass({ variant: 'primary' })}`}>
              Continue to {host}
            </p>
            <dl className="mt-5 grid grid-cols-2 gap-x-4 border-t border-line pt-4 text-12">
              <dt className="text-ink-3">Created</dt>
              <dt className="text-ink-3">Changed</dt>
              <dd className="text-13">3 months ago</dd>
              <dd className="text-13">Never</dd>
            </dl>
          </div>
        </div>
      }
    >
      <p className={sectionTextClass}>
        Put a <span className="font-mono font-medium text-ink">+</span> behind any short URL, and
        read where it goes, how old it is and what has been checked. A preview never counts as a
        click.
      </p>
    </HomeSection>
  );
}
