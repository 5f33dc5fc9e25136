import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { ApiKey } from '#contract/api/api-keys.ts';
import type { Webhook } from '#contract/webhooks/webhooks.ts';
import type { Post } from '#contract/blog/blog.ts';
import { ReportPage } from '#web/features/abuse/report-page.tsx';
import { DeletePanel } from '#web/features/account/delete-panel.tsx';
import { ModerationDialog } from '#web/features/admin/moderation-dialog.tsx';
import { ReportedCard } from '#web/features/admin/reported-card.tsx';
import {
  CreateKeyDialog,
  RevokeDialog,
  RotateKeyDialog,
} from '#web/features/api-keys/key-dialogs.tsx';
import { PostRows } from '#web/features/blog/post-rows.tsx';
import { AddDomainDialog } from '#web/features/domains/add-domain-dialog.tsx';
import { DefaultDomain } from '#web/features/domains/default-domain.tsx';
import { DeleteDomainDialog } from '#web/features/domains/delete-domain-dialog.tsx';
import { DomainOffers } from '#web/features/domains/domain-offers.tsx';
import { DomainPagesDialog } from '#web/features/domains/domain-pages-dialog.tsx';
import { TransferDomainDialog } from '#web/features/domains/transfer-domain-dialog.tsx';
import { PlanPanel } from '#web/features/plans/plan-panel.tsx';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { DeleteDialog, WebhookFormDialog } from '#web/features/webhooks/webhook-dialogs.tsx';
import { describeForms, onDone, typeInto } from '#web/testing/describe-forms.ts';
import { domainList, makeDomain, makeSharedDomain } from '#web/testing/make-domain.ts';
import { PREMIUM } from '#web/testing/premium.ts';
import { press, showPage } from '#web/testing/render-page.tsx';

const USER = { kind: 'user' as const, userId: 'u' };
const TAGS = { tags: [{ id: 1, name: 'sale', color: 'gray' }] };
const CARD = { title: 'Sale', description: '', image: null, updatedAt: '2026-11-20T10:00:00Z' };
const POST: Post = {
  id: 3,
  title: 'Hello',
  slug: 'hello',
  content: 'Some text.',
  excerpt: '',
  author: '',
  tags: [],
  published: false,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
  published_at: null,
};
const API_KEY: ApiKey = {
  id: 'k1',
  name: 'Zapier',
  prefix: 'hop_live_Ab3x',
  app: null,
  scopes: ['links:read'],
  codePrefix: null,
  createdAt: '2026-01-02T12:00:00Z',
  expiresAt: null,
  lastUsedAt: null,
  previousSecretUntil: null,
};
const WEBHOOK: Webhook = {
  id: 'w1',
  url: 'https://hooks.example/in',
  description: '',
  events: ['link.created'],
  tag: null,
  createdAt: '2026-01-02T12:00:00Z',
  disabled: null,
  failingSince: null,
  previousSecretUntil: null,
};
const DOMAIN = makeDomain();
const DOMAIN_PATH = '/api/domains/go.example.com';
const CONFIRMATION = 'Type “go.example.com” to confirm';
const OFFER = { name: 'go.example.com', displayName: 'go.example.com', from: 'b@example.com' };

describeForms({
  'a new API key': {
    route: 'POST /api/keys',
    reloads: ['api-keys'],
    fields: {
      name: 'Name',
      scopes: 'Read links',
      expiresAt: 'Expires',
      codePrefix: 'Code prefix (optional)',
    },
    open: async () => {
      showPage(<CreateKeyDialog onCreated={onDone} onClose={onDone} />);
      await typeInto('Name', 'CI');
    },
    controls: [
      'Name: CI, autocomplete=off, maxlength=50, “What will use…”',
      '[x] Read links, “List links and…”',
      '[x] Write links, “Create, change and…”',
      '[ ] Create links only, “For keys that…”',
      '[ ] Read analytics, “Read the clicks…”',
      '[ ] Manage webhooks, “Create, change and…”',
      '[ ] Read domains, “List domains and…”',
      '[ ] Manage domains, “Add, check, change…”',
      'Expires: Never',
      'Code prefix (optional):, verbatim, maxlength=13, “The key creates…”',
    ],
    send: () => press('Create key'),
  },
  'a new webhook': {
    route: 'POST /api/webhooks',
    reloads: ['deliveries', 'webhooks'],
    fields: {
      url: 'Address',
      description: 'Description (optional)',
      events: 'link.created',
      tag: 'Links',
    },
    answers: { 'GET /api/tags': TAGS },
    open: async () => {
      showPage(<WebhookFormDialog webhook={null} onCreated={onDone} onClose={onDone} />);
      await typeInto('Address', 'https://example.com/hop');
      await screen.findByLabelText('Links');
    },
    controls: [
      'Address: https://example.com/hop, verbatim, url, inputmode=url, “An https address…”',
      'Description (optional):, autocomplete=off, maxlength=100',
      '[x] link.created, “A link was…”',
      '[x] link.updated, “Anything else about…”',
      '[x] link.disabled, “A link stopped…”',
      '[x] link.expired, “The end date…”',
      '[ ] link.unreachable, “The destination of…”',
      '[ ] link.recovered, “The unreachable destination…”',
      '[x] link.deleted, “A link was…”',
      '[ ] link.clicked, “People clicked a…”',
      'Links: All links, “A link that…”',
    ],
    send: () => press('Add webhook'),
  },
  'a deleted account': {
    route: 'DELETE /api/account',
    says: ['Your account has been deleted.'],
    stays: true,
    fields: { currentPassword: 'Current password', confirm: /^Type “delete my account”/ },
    open: async () => {
      showPage(<DeletePanel email="a@example.com" />);
      await press('Delete account…');
      await typeInto('Current password', 'secret');
      await typeInto(/^Type “delete my account”/, 'delete my account');
    },
    controls: [
      '(o) Keep the links, “They still redirect,…”',
      '( ) Delete the links, “They show a…”',
      'Current password: secret, verbatim, password, current-password',
      'Type “delete my account” to confirm: delete my account, verbatim',
    ],
    send: () => press('Delete account'),
  },
  'a downgrade': {
    route: 'POST /api/subscription/downgrade',
    accepted: { subscription: { ...PREMIUM, downgrade_at: PREMIUM.cycle_ends_at } },
    says: ['You are on Premium until Dec 12, 2026.'],
    stays: true,
    answers: { 'GET /api/subscription': PREMIUM },
    open: async () => {
      showPage(<PlanPanel />);
      await press('Downgrade to Free…');
    },
    controls: ['(o) At the end of the cycle, “You keep Premium…”', '( ) Now, “You have already…”'],
    send: () => press('Downgrade to Free'),
  },
  'an upgrade': {
    route: 'POST /api/subscription',
    accepted: { demo: false, subscription: PREMIUM },
    says: ['Successfully upgraded to Premium!'],
    answers: { 'GET /api/subscription': { ...PREMIUM, plan_type: 'free' } },
    open: async () => {
      showPage(<UpgradeDialog open onClose={onDone} />);
      const button = await screen.findByRole('button', { name: 'Upgrade to Premium' });
      await waitFor(() => expect(button).toHaveProperty('disabled', false));
    },
    send: () => press('Upgrade to Premium'),
  },
  'a downgrade that is canceled': {
    route: 'DELETE /api/subscription/downgrade',
    accepted: { subscription: PREMIUM },
    says: ['You keep Premium.'],
    stays: true,
    answers: { 'GET /api/subscription': { ...PREMIUM, downgrade_at: PREMIUM.cycle_ends_at } },
    open: () => showPage(<PlanPanel />),
    send: () => press('Keep Premium'),
  },
  'a deleted post': {
    route: 'DELETE /api/blogs-admin/3',
    says: ['Post deleted.'],
    reloads: ['posts'],
    stays: true,
    open: async () => {
      showPage(<PostRows posts={[POST]} canPublish editingId={null} />);
      await press('Delete Hello');
    },
    send: () => press('Delete post'),
  },
  'a suspension': {
    route: 'POST /api/admin/moderation',
    says: ['User suspended.'],
    reloads: ['admin'],
    open: async () => {
      const moderation = { action: 'disable' as const, scopes: [USER] };
      showPage(<ModerationDialog moderation={moderation} onClose={onDone} />);
      await typeInto('Reason', 'Fraud');
    },
    controls: ['Reason: Fraud, maxlength=200, required, “Shown to the…”'],
    send: () => press(/^Suspend/),
  },
  'a reported card': {
    route: 'DELETE /api/admin/cards/abc',
    says: ['Preview card removed.'],
    reloads: ['admin'],
    stays: true,
    open: () => showPage(<ReportedCard card={CARD} code="abc" />),
    send: () => press('Remove card'),
  },
  'a report of abuse': {
    route: 'POST /api/reports',
    stays: true,
    fields: { code: 'Short URL', details: 'Details (optional)' },
    open: async () => {
      showPage(<ReportPage />, '/report?code=abc');
      fireEvent.click(await screen.findByLabelText(/^Phishing/));
    },
    controls: [
      'Short URL: abc, verbatim, maxlength=200, required, “The whole link…”',
      '(o) Phishing, required, “The site imitates…”',
      '( ) Malware, required, “The site offers…”',
      '( ) Spam, required, “The link was…”',
      '( ) Illegal content, required, “The site shows…”',
      '( ) Something else, required, “Describe the problem…”',
      'Details (optional):, maxlength=2000, “Where you found…”',
    ],
    send: () => press(/^Send/),
  },
  'a new secret of an API key': {
    route: 'POST /api/keys/k1/rotate',
    reloads: ['api-keys'],
    open: () => showPage(<RotateKeyDialog apiKey={API_KEY} onRotated={onDone} onClose={onDone} />),
    controls: ['Present secret: Works for another 24 hours'],
    send: () => press('Rotate key'),
  },
  'a revoked API key': {
    route: 'DELETE /api/keys/k1',
    says: ['API key revoked.'],
    reloads: ['api-keys'],
    open: () => showPage(<RevokeDialog apiKey={API_KEY} onClose={onDone} />),
    send: () => press('Revoke key'),
  },
  'a changed webhook': {
    route: 'PATCH /api/webhooks/w1',
    says: ['Webhook changed.'],
    reloads: ['deliveries', 'webhooks'],
    fields: { url: 'Address', description: 'Description (optional)' },
    answers: { 'GET /api/tags': { tags: [] } },
    open: () =>
      showPage(<WebhookFormDialog webhook={WEBHOOK} onCreated={onDone} onClose={onDone} />),
    controls: [
      'Address: https://hooks.example/in, verbatim, url, inputmode=url, “An https address…”',
      'Description (optional):, autocomplete=off, maxlength=100',
      '[x] link.created, “A link was…”',
      '[ ] link.updated, “Anything else about…”',
      '[ ] link.disabled, “A link stopped…”',
      '[ ] link.expired, “The end date…”',
      '[ ] link.unreachable, “The destination of…”',
      '[ ] link.recovered, “The unreachable destination…”',
      '[ ] link.deleted, “A link was…”',
      '[ ] link.clicked, “People clicked a…”',
    ],
    send: () => press('Save changes'),
  },
  'a deleted webhook': {
    route: 'DELETE /api/webhooks/w1',
    says: ['Webhook deleted.'],
    reloads: ['webhooks'],
    open: () => showPage(<DeleteDialog webhook={WEBHOOK} onClose={onDone} />),
    send: () => press('Delete webhook'),
  },
  'a new domain': {
    route: 'POST /api/domains',
    accepted: DOMAIN,
    says: ['go.example.com added. Enter its DNS records next.'],
    reloads: ['domains'],
    fields: { name: 'Domain' },
    open: () => showPage(<AddDomainDialog onClose={onDone} />),
    controls: ['Domain:, verbatim, inputmode=url, dir=ltr, “A subdomain such…”'],
    send: async () => {
      await typeInto('Domain', 'go.example.com');
      await press('Add domain');
    },
  },
  'the pages of a domain': {
    route: `PATCH ${DOMAIN_PATH}`,
    says: ['Domain saved.'],
    reloads: ['domains'],
    fields: { rootUrl: 'Root (optional)', notFoundUrl: 'Unknown codes (optional)' },
    open: () => showPage(<DomainPagesDialog domain={DOMAIN} onClose={onDone} />),
    controls: [
      'Root (optional):, verbatim, inputmode=url, dir=ltr, “Where go.example.com itself…”',
      'Unknown codes (optional):, verbatim, inputmode=url, dir=ltr, “Where visitors go…”',
    ],
    send: () => press('Save domain'),
  },
  'a deleted domain': {
    route: `DELETE ${DOMAIN_PATH}`,
    says: ['go.example.com deleted.'],
    reloads: ['domains', 'my-urls'],
    fields: { name: CONFIRMATION },
    answers: { [`GET ${DOMAIN_PATH}`]: { ...DOMAIN, links: 1, clicks30Days: 0 } },
    open: async () => {
      showPage(<DeleteDomainDialog domain={DOMAIN} onClose={onDone} />);
      await typeInto(CONFIRMATION, 'go.example.com');
    },
    controls: ['Type “go.example.com” to confirm: go.example.com, verbatim, dir=ltr'],
    send: () => press('Delete domain'),
  },
  'a domain offered to another account': {
    route: `POST ${DOMAIN_PATH}/transfer`,
    says: ['go.example.com offered to b@example.com, if that address has an account here.'],
    reloads: ['domains'],
    fields: { email: 'Email of the other account' },
    open: () => {
      showPage(<TransferDomainDialog domain={DOMAIN} onClose={onDone} />);
      return typeInto('Email of the other account', 'b@example.com');
    },
    controls: [
      'Email of the other account: b@example.com, email, inputmode=email, autocomplete=off',
    ],
    send: () => press('Offer domain'),
  },
  'an accepted domain': {
    route: `POST ${DOMAIN_PATH}/transfer/accept`,
    says: ['go.example.com is yours now.'],
    reloads: ['domains', 'my-urls'],
    stays: true,
    open: () => showPage(<DomainOffers offers={[OFFER]} />),
    send: () => press('Accept go.example.com'),
  },
  'a declined domain': {
    route: `DELETE ${DOMAIN_PATH}/transfer`,
    says: ['go.example.com declined.'],
    reloads: ['domains'],
    stays: true,
    open: () => showPage(<DomainOffers offers={[OFFER]} />),
    send: () => press('Decline go.example.com'),
  },
  'the domain of new links': {
    route: 'PUT /api/domains/default',
    says: ['New links are on link.example.'],
    reloads: ['domains'],
    stays: true,
    isQuiet: true,
    open: () => showPage(<DefaultDomain list={domainList([makeSharedDomain('link.example')])} />),
    controls: ['Domain of new links: localhost:3000'],
    send: () => typeInto('Domain of new links', 'link.example'),
  },
});
