import { SupportLine } from '#web/shared/support.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export function NotFoundPage() {
  return (
    <div className="mx-auto w-full max-w-form py-16">
      <p className="mb-2 font-mono text-14 text-ink-3">404</p>
      <PageHeading title="Page not found" hint="Check the address, or start again from the home page." />
      <LinkButton to="/" variant="primary">
        Go to the home page
      </LinkButton>
      <SupportLine className="mt-6" />
    </div>
  );
}
