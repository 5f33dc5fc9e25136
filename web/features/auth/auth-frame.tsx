import type { ComponentProps } from 'react';
import { PageHeading } from '#web/ui/page-heading.tsx';

/** A sign-in page: a heading and one narrow column. */
export const AuthFrame = ({ children, ...heading }: ComponentProps<typeof PageHeading>) => (
  <div className="w-full max-w-form">
    <PageHeading {...heading} />
    {children}
  </div>
);
