import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import { api } from '#web/shared/api/api.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { reloadMe } from '#web/shared/api/use-me.ts';
import { usePageTitle } from '#web/ui/use-page-title.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkPair } from '#web/ui/link-pair.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const PATH = '/admin/claim';
/** Stored for this tab, so that the link survives signing in. */
const KEY = 'hop-admin-claim';

/**
 * Returns the secret of the link, or '' if no link led here. The secret stays in the tab and not in
 * the address bar.
 */
function useClaimToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (hash === '') return;
    sessionStorage.setItem(KEY, hash.slice(1));
    void navigate(PATH, { replace: true });
  }, [hash, navigate]);
  return hash.slice(1) || (sessionStorage.getItem(KEY) ?? '');
}

/**
 * The page that the link of `npm run admin -- claim` opens. Its button makes the signed-in account
 * an administrator.
 */
export function AdminClaimPage() {
  usePageTitle(PAGE_META[PATH].title);
  const token = useClaimToken();
  const session = useSession();
  return (
    <div className="w-full max-w-form space-y-4">
      <PageHeading title="Become an administrator" />
      {token === '' && (
        <Notice tone="warn">
          <p>
            This page opens from a one-time link, which the owner of this installation makes on the
            command line.
          </p>
        </Notice>
      )}
      {token !== '' && session.status === 'signing-in' && (
        <Loading label="Signing you in…">
          <Skeleton className="h-9 w-full" />
        </Loading>
      )}
      {token !== '' && session.status === 'visitor' && (
        <>
          <p className="text-14 text-ink-2">
            Sign in, or create an account, and this link will make it an administrator.
          </p>
          <LinkPair
            first={{ to: `/auth?next=${PATH}`, label: 'Sign In' }}
            second={{ to: `/auth?tab=sign-up&next=${PATH}`, label: 'Sign Up' }}
          />
        </>
      )}
      {token !== '' && session.status === 'member' && (
        <ClaimForm token={token} email={session.email} />
      )}
    </div>
  );
}

function ClaimForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const claim = useAsyncAction(
    () => api<{ success: true }>('/api/admin/claim', { method: 'POST', body: { token } }),
    () => {
      sessionStorage.removeItem(KEY);
      reloadMe();
      toast('You are an administrator now.');
      void navigate('/admin', { replace: true });
    },
  );
  return (
    <>
      <p className="text-14 text-ink-2">
        {email} will see all users and links, and can disable links, suspend accounts and publish
        posts. The link works once.
      </p>
      {claim.error !== null && (
        <Notice tone="bad">
          <p>
            {claim.error instanceof Error
              ? claim.error.message
              : 'This link could not be used. Try again.'}
          </p>
        </Notice>
      )}
      <Button variant="primary" pending={claim.pending} onClick={() => claim.run(undefined)}>
        Become an administrator
      </Button>
    </>
  );
}
