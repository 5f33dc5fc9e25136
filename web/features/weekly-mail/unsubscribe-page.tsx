import { useLocation } from 'react-router-dom';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import { api } from '#web/shared/api/api.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

/**
 * The page that a weekly mail's link opens without a sign-in. Only its button changes anything,
 * because mail scanners open links.
 */
export function UnsubscribePage() {
  const token = useLocation().hash.slice(1);
  const stop = useAsyncAction(() =>
    api<{ success: true }>(`/api/weekly-mail/unsubscribe?token=${token}`, {
      method: 'POST',
      body: {},
    }),
  );
  const isDone = stop.data !== null;
  return (
    <div className="w-full max-w-form space-y-4">
      <PageHeading title={PAGE_META['/unsubscribe'].title} />
      {token === '' && (
        <Notice tone="warn">
          <p>
            This page opens from the link in a weekly email. You can turn the email off in Settings
            as well.
          </p>
        </Notice>
      )}
      {isDone && (
        <Notice tone="mail">
          <p>You get no more weekly emails. You can turn them on again in Settings.</p>
        </Notice>
      )}
      {token !== '' && !isDone && (
        <>
          <p className="text-14 text-ink-2">
            You will no longer get a summary of your clicks on Mondays. Other emails about your
            account still come.
          </p>
          {stop.error !== null && (
            <Notice tone="bad">
              <p>
                {stop.error instanceof Error ? stop.error.message : 'That did not work. Try again.'}
              </p>
            </Notice>
          )}
          <Button variant="primary" pending={stop.pending} onClick={() => stop.run(undefined)}>
            Stop the weekly email
          </Button>
        </>
      )}
      {(token === '' || isDone) && <LinkButton to="/settings">Open Settings</LinkButton>}
    </div>
  );
}
