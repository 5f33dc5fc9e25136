import { useEffect, useRef, type ComponentProps } from 'react';
import { config } from './config.ts';
import { NavLink } from '#web/ui/link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

const SECTIONS = [
  { to: '/settings', label: 'Account' },
  { to: '/settings/sessions', label: 'Sessions' },
  { to: '/settings/plan', label: 'Plan' },
  ...(config.domains ? [{ to: '/settings/domains', label: 'Domains' }] : []),
  { to: '/settings/api', label: 'API' },
  { to: '/settings/webhooks', label: 'Webhooks' },
  { to: '/settings/data', label: 'Data' },
];

/** A section of the settings, with the way to the others: beside it, on phones in a row above. */
export function SettingsSubpage({ children, ...heading }: ComponentProps<typeof PageHeading>) {
  return (
    // As wide as the list of sections with the section.
    <div className="max-w-[55rem]">
      <PageHeading {...heading} />
      <div className="gap-x-10 gap-y-4 max-md:flex max-md:flex-col md:grid md:grid-cols-[10rem_minmax(0,1fr)]">
        <SettingsNav />
        <div className="w-full max-w-reading min-w-0">{children}</div>
      </div>
    </div>
  );
}

function SettingsNav() {
  const row = useRef<HTMLElement>(null);
  // The row may be wider than a phone's screen, so the current section scrolls into view.
  useEffect(() => {
    const nav = row.current;
    const link = nav?.querySelector<HTMLElement>('[aria-current]');
    if (nav && link) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }, []);
  return (
    <nav
      ref={row}
      aria-label="Settings"
      className="relative flex gap-1 max-md:-mx-4 max-md:overflow-x-auto max-md:border-b max-md:border-line max-md:px-4 sm:max-md:-mx-6 sm:max-md:px-6 md:sticky md:top-20 md:-ms-2.5 md:flex-col md:self-start"
    >
      {SECTIONS.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className={({ isActive }) =>
            `inline-flex h-10 shrink-0 items-center px-2.5 text-14 whitespace-nowrap -outline-offset-2 active:bg-pressed max-md:-mb-px max-md:border-b-2 md:h-9 md:rounded-md pointer-coarse:h-11 ${
              isActive
                ? 'font-medium text-ink max-md:border-ink md:bg-accent-soft forced-colors:text-[Highlight]'
                : 'text-ink-2 hover:bg-hover hover:text-ink max-md:border-transparent'
            }`
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
