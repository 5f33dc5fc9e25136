import { Component, type ReactNode } from 'react';
import { SupportLine } from '#web/shared/plans/support.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { StatusPicture } from './status-picture.tsx';

export function ErrorPage({
  title,
  message,
  onRetry,
}: {
  title: string;
  message: string;
  onRetry: () => void;
}) {
  return (
    <div role="alert" className="w-full max-w-reading">
      <StatusPicture shape="looping" />
      <PageHeading title={title} hint={message} />
      <div className="flex gap-2">
        <Button variant="primary" onClick={onRetry}>
          Retry
        </Button>
        <LinkButton to="/">Go to the home page</LinkButton>
      </div>
      <SupportLine lead="Still not working?" className="mt-6" />
    </div>
  );
}

/**
 * Catches errors that a screen throws while rendering, so that the header stays usable. Use the
 * path as its `key`.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorPage
        title="Something went wrong"
        message="This page has a problem. Your saved data is safe. Try again, or reload the page."
        onRetry={() => this.setState({ failed: false })}
      />
    );
  }
}
