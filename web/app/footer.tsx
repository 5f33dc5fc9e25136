import { FOOTER_LINKS } from '#contract/site.ts';
import { When } from '#web/shared/page/block.tsx';
import { config } from '#web/shared/page/config.ts';
import { SupportLink } from '#web/shared/plans/support.tsx';
import { Arc } from '#web/ui/arc.tsx';
import { PageLink } from './nav.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const linkClass = 'inline-flex items-center py-1 hover:text-ink pointer-coarse:min-h-11';

export function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex w-full max-w-app flex-wrap items-center gap-x-6 gap-y-4 px-4 py-8 text-13 text-ink-2 sm:px-6">
        <p className="inline-flex items-center gap-2 text-ink-3 max-lg:basis-full">
          <Arc className="size-5" />
          {config.siteName}, an open link shortener
        </p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-4 gap-y-1 lg:ms-auto">
          {FOOTER_LINKS.map((link) => (
            <PageLink key={link.to} to={link.to} className={linkClass}>
              {`${link.label} `}
            </PageLink>
          ))}
          <When setting="support">
            <SupportLink className={linkClass}>Contact support</SupportLink>
          </When>
        </nav>
        <div className="sm:max-lg:ms-auto">
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  );
}
