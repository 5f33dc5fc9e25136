import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiKeysPage } from '#web/features/api-keys/api-keys-page.tsx';
import { DomainsPage } from '#web/features/domains/domains-page.tsx';
import { CardDialog } from '#web/features/links/card-dialog.tsx';
import { LinkDialog } from '#web/features/links/link-dialogs.tsx';
import { useLinkFilters } from '#web/features/links/link-filters.ts';
import { RecentLinks } from '#web/features/links/recent-links.tsx';
import { TagsDialog } from '#web/features/links/tags-dialog.tsx';
import { ViewsDialog } from '#web/features/links/views-dialog.tsx';
import { PlanPanel } from '#web/features/plans/plan-panel.tsx';
import { DeliveryLog } from '#web/features/webhooks/delivery-log.tsx';
import { WebhooksPage } from '#web/features/webhooks/webhooks-page.tsx';
import { WeeklyMailPanel } from '#web/features/weekly-mail/weekly-mail-panel.tsx';
import { domainList } from '#web/testing/make-domain.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { PREMIUM } from '#web/testing/premium.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';

const LINK = makeLink();
const none = () => undefined;
const Views = () => <ViewsDialog list={useLinkFilters()} onClose={none} />;
const History = () => <LinkDialog action="history" link={LINK} onClose={none} />;
const Card = () => <CardDialog link={LINK} onClose={none} />;
const Recent = () => <RecentLinks shown={undefined} />;
const Tags = () => <TagsDialog onShare={none} onClose={none} />;
const Deliveries = () => <DeliveryLog webhookId="w1" now={0} />;

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each([
  ['/api/keys', ApiKeysPage, 'We couldn’t load your API keys.', { keys: [] }, 'No API keys yet'],
  [
    '/api/webhooks',
    WebhooksPage,
    'We couldn’t load your webhooks.',
    { webhooks: [] },
    'No webhooks yet',
  ],
  [
    '/api/webhooks/w1/deliveries',
    Deliveries,
    'We couldn’t load the deliveries.',
    { deliveries: [], nextCursor: null },
    'Nothing delivered yet',
  ],
  ['/api/domains', DomainsPage, 'We couldn’t load your domains.', domainList([]), 'No domains yet'],
  [
    '/api/weekly-mail',
    WeeklyMailPanel,
    'Your choice could not be loaded.',
    { enabled: true, sends: true },
    'Send me a summary every Monday',
  ],
  ['/api/subscription', PlanPanel, 'Your plan could not be loaded.', PREMIUM, 'Downgrade to Free…'],
  ['/api/tags', Tags, 'Your tags could not be loaded.', { tags: [] }, /^You have no tags yet\./],
  ['/api/views', Views, 'Your views could not be loaded.', { views: [] }, /^To save a view, first/],
  [
    '/api/links/abc/history',
    History,
    'The history could not be loaded.',
    { changes: [] },
    /^Created Nov 1/,
  ],
  [
    '/api/links/abc/card',
    Card,
    'The card could not be loaded.',
    { card: null },
    'Description (optional)',
  ],
  [
    '/api/my-urls',
    Recent,
    'Your links could not be loaded.',
    { urls: [], nextCursor: null, totals: null },
    /^You haven’t created any links/,
  ],
])(
  '%s that fails is not said to be empty, and Retry loads it',
  async (path, Page, text, answer, shown) => {
    let isUp = false;
    signInAsMember();
    serveRoutes({
      [`GET ${path}`]: () => (isUp ? Response.json(answer) : failure(503, 'Down.')()),
    });
    showPage(<Page />);
    const alert = await screen.findByText(text);
    expect(alert.closest('[role="alert"]')).not.toBeNull();
    expect(screen.queryByText(shown)).toBeNull();
    isUp = true;
    await press('Retry');
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    expect(await screen.findByText(shown)).toBeTruthy();
  },
);
