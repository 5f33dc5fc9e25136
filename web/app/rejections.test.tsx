import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PLAIN_QR } from '#contract/qr-presets.ts';
import { ReportPage } from '#web/features/abuse/report-page.tsx';
import { ModerationDialog } from '#web/features/admin/moderation-dialog.tsx';
import { ReportedCard } from '#web/features/admin/reported-card.tsx';
import { CreateKeyDialog } from '#web/features/api-keys/key-dialogs.tsx';
import { BulkDialog } from '#web/features/links/bulk-dialog.tsx';
import { CardDialog } from '#web/features/links/card-dialog.tsx';
import { EditDialog } from '#web/features/links/edit-dialog.tsx';
import { LinkDialog } from '#web/features/links/link-dialogs.tsx';
import { PurgeDialog } from '#web/features/links/purge-dialog.tsx';
import { RenameDialog } from '#web/features/links/rename-dialog.tsx';
import { DeletePresetDialog, RenamePresetDialog } from '#web/features/qr/preset-dialogs.tsx';
import { ShareDialog } from '#web/features/shared-reports/share-dialog.tsx';
import { WebhookFormDialog } from '#web/features/webhooks/webhook-dialogs.tsx';
import { expectRejections, type RejectedForm } from '#web/testing/expect-rejections.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';

const LINK = makeLink();
const onClose = (): void => undefined;
const type = async (label: string, value: string): Promise<void> =>
  void fireEvent.change(await screen.findByLabelText(label), { target: { value } });
const USER = { kind: 'user' as const, user_id: 'u' };
const PRESET = { id: 3, name: 'Poster', style: PLAIN_QR, logo: '', isDefault: false };
const CARD = { title: 'Sale', description: '', image: null, updatedAt: '2026-11-20T10:00:00Z' };

const FORMS: Readonly<Record<string, RejectedForm>> = {
  'a new API key': {
    route: 'POST /api/keys',
    fields: {
      name: 'Name',
      scopes: 'Read links',
      expiresAt: 'Expires',
      codePrefix: 'Code prefix (optional)',
    },
    open: async () => {
      showPage(<CreateKeyDialog onCreated={onClose} onClose={onClose} />);
      await type('Name', 'CI');
    },
    send: () => press('Create key'),
  },
  'a new webhook': {
    route: 'POST /api/webhooks',
    fields: {
      url: 'Address',
      description: 'Description (optional)',
      events: 'link.created',
      tag: 'Links',
    },
    answers: { 'GET /api/tags': { tags: [{ id: 1, name: 'sale', color: 'gray' }] } },
    open: async () => {
      showPage(<WebhookFormDialog webhook={null} onCreated={onClose} onClose={onClose} />);
      await type('Address', 'https://example.com/hop');
      await screen.findByLabelText('Links');
    },
    send: () => press('Add webhook'),
  },
  'a shared report': {
    route: 'POST /api/shared-reports',
    fields: {
      title: 'Title',
      expiresAt: 'Ends',
      from: 'First day',
      to: 'Last day',
      password: 'Password (optional)',
    },
    answers: { 'GET /api/shared-reports': { reports: [] } },
    open: async () => {
      const subject = { kind: 'link', code: 'abc' } as const;
      showPage(<ShareDialog subject={subject} title="Clicks" onClose={onClose} />);
      await type('Period', 'dates');
      await type('First day', '2026-11-01');
      await type('Last day', '2026-11-20');
    },
    send: () => press('Create and copy address'),
  },
  'a preview card': {
    route: 'PUT /api/links/abc/card',
    fields: { title: 'Title', description: 'Description (optional)' },
    answers: { 'GET /api/links/abc/card': { card: CARD } },
    open: async () => {
      showPage(<CardDialog link={LINK} onClose={onClose} />);
      await screen.findByLabelText('Title');
    },
    send: () => press('Save card'),
  },
  'the removal of a preview card': {
    route: 'DELETE /api/links/abc/card',
    answers: { 'GET /api/links/abc/card': { card: CARD } },
    open: () => showPage(<CardDialog link={LINK} onClose={onClose} />),
    send: () => press('Remove card'),
  },
  'an edited link': {
    route: 'PATCH /api/links/abc',
    fields: { longUrl: 'Destination', tags: 'Tags (optional)' },
    open: async () => {
      showPage(<EditDialog link={LINK} onClose={onClose} />);
      await type('Destination', 'https://example.com/b');
    },
    send: () => press('Save link'),
  },
  'a renamed link': {
    route: 'PATCH /api/links/abc',
    fields: { customCode: 'New code' },
    open: async () => {
      showPage(<RenameDialog link={LINK} onClose={onClose} />);
      await type('New code', 'abd');
    },
    send: () => press('Rename link'),
  },
  'many links': {
    route: 'POST /api/shorten/bulk',
    fields: { '': 'Destinations, one per line' },
    open: async () => {
      showPage(<BulkDialog quotaChanges={0} onClose={onClose} onCreated={onClose} />);
      await type('Destinations, one per line', 'https://example.com');
    },
    send: () => press(/^Shorten/),
  },
  'a report of abuse': {
    route: 'POST /api/reports',
    fields: { code: 'Short URL', details: 'Details (optional)' },
    open: async () => {
      showPage(<ReportPage />, '/report?code=abc');
      fireEvent.click(await screen.findByLabelText(/^Phishing/));
    },
    send: () => press(/^Send/),
  },
  'a suspension': {
    route: 'POST /api/admin/moderation',
    open: async () => {
      const moderation = { action: 'disable' as const, scopes: [USER] };
      showPage(<ModerationDialog moderation={moderation} onClose={onClose} />);
      await type('Reason', 'Fraud');
    },
    send: () => press(/^Suspend/),
  },
  'a reported card': {
    route: 'DELETE /api/admin/cards/abc',
    open: () => showPage(<ReportedCard card={CARD} code="abc" />),
    send: () => press('Remove card'),
  },
  'a disabled link': {
    route: 'PATCH /api/links/abc',
    open: () => showPage(<LinkDialog action="toggle" link={LINK} onClose={onClose} />),
    send: () => press('Disable link'),
  },
  'a link deleted for good': {
    route: 'POST /api/links/purge',
    open: () => showPage(<PurgeDialog link={LINK} onClose={onClose} />),
    send: () => press(/for good$/),
  },
  'a renamed preset': {
    route: 'PATCH /api/qr-presets/3',
    fields: { '': 'Name' },
    open: () => showPage(<RenamePresetDialog preset={PRESET} onClose={onClose} />),
    send: () => press('Rename preset'),
  },
  'a deleted preset': {
    route: 'DELETE /api/qr-presets/3',
    open: () =>
      showPage(<DeletePresetDialog preset={PRESET} onDeleted={onClose} onClose={onClose} />),
    send: () => press('Delete preset'),
  },
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each(Object.entries(FORMS))('the form of %s shows what the server rejects', async (_, form) => {
  await expectRejections(form);
  expect(screen.getAllByRole('alert')).not.toEqual([]);
});
