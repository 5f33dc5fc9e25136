import type { ComponentProps } from 'react';
import { Arc } from '#web/ui/arc.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

/** A sign-in page: a heading and one narrow column. Wide screens have what an account is for. */
export const AuthFrame = ({ children, ...heading }: ComponentProps<typeof PageHeading>) => (
  <div className="flex items-start gap-x-12 lg:gap-x-24">
    <div className="w-full max-w-form md:shrink-0">
      <PageHeading {...heading} />
      {children}
    </div>
    <aside aria-label="Why an account" className="max-w-96 pt-2 max-md:hidden">
      <Arc className="-ms-3 size-40 rtl:-scale-x-100" />
      <p className="mt-6 text-24 font-semibold tracking-tight text-balance">
        Change where a link leads, and see every click.
      </p>
      <p className="mt-3 text-16 text-ink-2">
        Your short URLs stay the same on posters and in posts. You see countries, devices and
        sources, and nobody’s address is stored.
      </p>
    </aside>
  </div>
);
