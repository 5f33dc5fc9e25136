import { PAGE_NOT_FOUND } from '#contract/pages/page-titles.ts';
import { SupportLine } from '#web/shared/plans/support.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { StatusPicture } from './status-picture.tsx';

export function NotFoundPage() {
  return (
    <div className="w-full max-w-reading">
      <StatusPicture shape="broken" />
      <p className="mb-2 font-mono text-14 text-ink-3">404</p>
      <PageHeading title={PAGE_NOT_FOUND.title} hint={PAGE_NOT_FOUND.text} />
      <LinkButton to="/" variant="primary">
        {PAGE_NOT_FOUND.action}
      </LinkButton>
      <SupportLine className="mt-6" />
    </div>
  );
}
