import { PLANS } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { LinkButton } from '#web/ui/button.tsx';

/** What members of other services find here. */
export const MovingStrip = () => (
  <section
    id="moving"
    tabIndex={-1}
    aria-labelledby="moving-title"
    className="flex scroll-mt-20 flex-wrap items-center gap-x-10 gap-y-5 rounded-lg border border-line bg-surface p-5 sm:p-8"
  >
    <div className="min-w-0 flex-1 basis-80">
      <h2 id="moving-title" className="text-20 font-semibold tracking-tight">
        Coming from Bitly, Dub, Short.io or Rebrandly?
      </h2>
      <p className="mt-2 max-w-[62ch] text-14 text-ink-2">
        Drop the file that they export. Codes that are free here, dates, titles and tags come along,
        and you see what would be lost before anything is created. {PLANS.premium.name} brings{' '}
        {formatNumber(PLANS.premium.importedLinks)} links on top of its quota.
      </p>
    </div>
    <LinkButton to="/auth?tab=sign-up&next=%2Flinks%2Fimport">Import your links</LinkButton>
  </section>
);
