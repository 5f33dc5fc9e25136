import type { ComponentProps } from 'react';
import { PageHeading } from '#web/ui/page-heading.tsx';

/** A sign-in page: a heading and one narrow column. */
export const AuthFrame = ({ children, ...heading }: ComponentProps<typeof PageHeading>) => (
  <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
    <PageHeading {...heading} />
    {children}
  </div>
);
