import { screen } from '@testing-library/react';
import { PLAIN_QR } from '#contract/presets/qr-presets.ts';
import { ChooseSource } from '#web/features/import/choose-source.tsx';
import { ActionDialog, type DialogActionName } from '#web/features/links/action-dialog.tsx';
import { BulkDialog } from '#web/features/links/bulk-dialog.tsx';
import { CardDialog } from '#web/features/links/card-dialog.tsx';
import { EditDialog } from '#web/features/links/edit-dialog.tsx';
import { FirstStepsPanel } from '#web/features/links/first-steps-panel.tsx';
import { LinkDialog } from '#web/features/links/link-dialogs.tsx';
import { useLinkFilters } from '#web/features/links/link-filters.ts';
import { PurgeDialog } from '#web/features/links/purge-dialog.tsx';
import { RenameDialog } from '#web/features/links/rename-dialog.tsx';
import { TagsDialog } from '#web/features/links/tags-dialog.tsx';
import { useActions } from '#web/features/links/use-actions.ts';
import { ViewsDialog } from '#web/features/links/views-dialog.tsx';
import {
  DeletePresetDialog,
  RenamePresetDialog,
  SavePresetDialog,
} from '#web/features/qr/preset-dialogs.tsx';
import { OwnReports } from '#web/features/shared-reports/own-reports.tsx';
import { ShareDialog } from '#web/features/shared-reports/share-dialog.tsx';
import { config } from '#web/shared/page/config.ts';
import { describeForms, onDone, typeInto } from '#web/testing/describe-forms.ts';
import { domainList, makeSharedDomain } from '#web/testing/make-domain.ts';
import { makeLink, PLAIN_REDIRECT } from '#web/testing/make-link.ts';
import { makeSharedReport } from '#web/testing/make-shared-report.ts';
import { press, showPage } from '#web/testing/render-page.tsx';

const LINK = makeLink();
const PRESET = { id: 3, name: 'Poster', style: PLAIN_QR, logo: '', isDefault: false };
const TAGS = { tags: [{ id: 1, name: 'sale', color: 'gray' }] };
const STATE = {
  ...PLAIN_REDIRECT,
  short_code: 'abc',
  domain: '',
  long_url: LINK.long_url,
  status: 'active',
  title: LINK.title,
  note: LINK.note,
  archived: false,
  card_at: null,
};
const CHANGE = {
  at: '2026-11-02T10:00:00Z',
  keyName: '',
  isByWatcher: false,
  isPasswordReplaced: false,
  before: { ...STATE, tags: ['sale'] },
  after: { ...STATE, tags: [] },
};
const CARD = { title: 'Sale', description: '', image: null, updatedAt: '2026-11-20T10:00:00Z' };
const REPORT = makeSharedReport({ title: 'Clicks' });

/** Asks for the input of an action on two links. */
function TwoLinks({ action }: { action: DialogActionName }) {
  const actions = useActions(() => undefined);
  return (
    <ActionDialog
      action={action}
      count={2}
      actions={actions}
      onRun={(request) => actions.run({ ...request, ids: [1, 2] }, 'dialog')}
      onClose={onDone}
    />
  );
}
const CHANGED = { ok: true, code: 'abc', undo: null };

describeForms({
  'a shared report': {
    route: 'POST /api/shared-reports',
    accepted: { ...REPORT, address: 'https://hop.example/share#secret' },
    reloads: ['shared-reports'],
    stays: true,
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
      showPage(<ShareDialog subject={subject} title="Clicks" onClose={onDone} />);
      await typeInto('Period', 'dates');
      await typeInto('First day', '2026-11-01');
      await typeInto('Last day', '2026-11-20');
    },
    controls: [
      'Title: Clicks, autocomplete=off, maxlength=120',
      '[x] Countries',
      '[x] Devices',
      '[ ] Variants',
      '[x] Short URL',
      '[ ] Destination',
      'Period: Fixed dates',
      'Ends: Never',
      'First day: 2026-11-01, date',
      'Last day: 2026-11-20, date',
      'Password (optional):, verbatim, password, new-password, maxlength=72, “Send it by…”',
    ],
    send: () => press('Create and copy address'),
  },
  'a preview card': {
    route: 'PUT /api/links/abc/card',
    says: ['Preview card saved. Networks may show the earlier one for some time.'],
    reloads: ['my-urls'],
    fields: { title: 'Title', description: 'Description (optional)', image: undefined },
    answers: { 'GET /api/links/abc/card': { card: CARD } },
    open: async () => {
      showPage(<CardDialog link={LINK} onClose={onDone} />);
      await screen.findByLabelText('Title');
    },
    controls: ['Title: Sale, maxlength=120', 'Description (optional):, maxlength=280'],
    send: () => press('Save card'),
  },
  'the removal of a preview card': {
    route: 'DELETE /api/links/abc/card',
    says: ['Preview card removed.'],
    reloads: ['my-urls'],
    answers: { 'GET /api/links/abc/card': { card: CARD } },
    open: () => showPage(<CardDialog link={LINK} onClose={onDone} />),
    send: () => press('Remove card'),
  },
  'an edited link': {
    route: 'PATCH /api/links/abc',
    says: ['Link saved.'],
    reloads: ['my-urls'],
    fields: { longUrl: 'Destination', tags: 'Tags (optional)' },
    open: async () => {
      showPage(<EditDialog link={LINK} onClose={onDone} />);
      await typeInto('Destination', 'https://example.com/b');
    },
    controls: [
      'Destination: https://example.com/b, verbatim, inputmode=url, dir=ltr',
      'End date (optional):, datetime-local, “After this time…”',
      'Title (optional):, maxlength=120, “Only you see…”',
      'Tags (optional):, autocomplete=off, “Separate tags with…”',
      'Note (optional):, maxlength=2000',
    ],
    send: () => press('Save link'),
  },
  'a renamed link': {
    route: 'PATCH /api/links/abc',
    says: ['Link renamed. abc keeps working.'],
    reloads: ['my-urls'],
    fields: { customCode: 'New code' },
    open: async () => {
      showPage(<RenameDialog link={LINK} onClose={onDone} />);
      await typeInto('New code', 'abd');
    },
    controls: ['New code: abd, verbatim, maxlength=20, “abc keeps redirecting,…”'],
    send: () => press('Rename link'),
  },
  'many links': {
    route: 'POST /api/shorten/bulk',
    accepted: { lines: [], made: 1, usage: null },
    reloads: ['my-urls'],
    fields: { domain: 'Domain', '': 'Destinations, one per line' },
    answers: { 'GET /api/domains': domainList([makeSharedDomain('link.example')]) },
    open: async () => {
      config.domains = true;
      showPage(<BulkDialog quotaChanges={0} onClose={onDone} onCreated={onDone} />);
      await screen.findByLabelText('Domain');
      await typeInto('Destinations, one per line', 'https://example.com');
    },
    controls: [
      'Destinations, one per line: https://example.com, verbatim, dir=ltr, “Lines with an…”',
      'Domain: localhost:3000',
    ],
    send: () => press(/^Shorten/),
  },
  'a disabled link': {
    route: 'PATCH /api/links/abc',
    says: ['Link disabled.'],
    reloads: ['my-urls'],
    open: () => showPage(<LinkDialog action="toggle" link={LINK} onClose={onDone} />),
    send: () => press('Disable link'),
  },
  'an end date of several links': {
    route: 'POST /api/links/actions',
    accepted: { lines: [CHANGED, CHANGED] },
    says: ['2 links changed.'],
    reloads: ['my-urls'],
    stays: true,
    open: () => showPage(<TwoLinks action="set_end" />),
    controls: ['End date:, datetime-local, “Leave it empty…”'],
    send: () => press('Change 2 links'),
  },
  'a link deleted for good': {
    route: 'POST /api/links/purge',
    accepted: { lines: [{ ok: true }] },
    says: ['1 link deleted for good.'],
    reloads: ['my-urls'],
    open: () => showPage(<PurgeDialog link={LINK} onClose={onDone} />),
    send: () => press(/for good$/),
  },
  'a renamed preset': {
    route: 'PATCH /api/qr-presets/3',
    says: ['Preset renamed.'],
    reloads: ['qr-presets'],
    fields: { '': 'Name' },
    open: () => showPage(<RenamePresetDialog preset={PRESET} onClose={onDone} />),
    controls: ['Name: Poster, autocomplete=off, maxlength=40'],
    send: () => press('Rename preset'),
  },
  'a deleted preset': {
    route: 'DELETE /api/qr-presets/3',
    says: ['Preset deleted.'],
    reloads: ['qr-presets'],
    open: () =>
      showPage(<DeletePresetDialog preset={PRESET} onDeleted={onDone} onClose={onDone} />),
    send: () => press('Delete preset'),
  },
  'a new preset': {
    route: 'POST /api/qr-presets',
    says: ['Preset saved.'],
    reloads: ['qr-presets'],
    fields: { '': 'Name' },
    open: () => {
      const design = { style: PLAIN_QR, logo: '' };
      showPage(<SavePresetDialog design={design} onSaved={onDone} onClose={onDone} />);
      return typeInto('Name', 'Poster');
    },
    controls: ['Name: Poster, autocomplete=off, maxlength=40'],
    send: () => press('Save preset'),
  },
  'a restored version': {
    route: 'PATCH /api/links/abc',
    says: ['Earlier version restored.'],
    reloads: ['my-urls', 'tags'],
    answers: { 'GET /api/links/abc/history': { changes: [CHANGE] } },
    open: () => showPage(<LinkDialog action="history" link={LINK} onClose={onDone} />),
    send: () => press(/^Restore/),
  },
  'a tag of another color': {
    route: 'PATCH /api/tags/1',
    reloads: ['my-urls', 'tags'],
    isQuiet: true,
    stays: true,
    answers: { 'GET /api/tags': TAGS },
    open: () => showPage(<TagsDialog onShare={onDone} onClose={onDone} />),
    send: () => typeInto('Color of the tag sale', 'blue'),
  },
  'a deleted tag': {
    route: 'DELETE /api/tags/1',
    says: ['Tag “sale” deleted.'],
    reloads: ['my-urls', 'tags'],
    stays: true,
    answers: { 'GET /api/tags': TAGS },
    open: async () => {
      showPage(<TagsDialog onShare={onDone} onClose={onDone} />);
      await press('Delete the tag sale');
    },
    controls: ['Name of the tag sale: sale, maxlength=40', 'Color of the tag sale: Gray'],
    send: () => press('Delete tag'),
  },
  'a saved view': {
    route: 'POST /api/views',
    says: ['View “Sales” saved.'],
    reloads: ['views'],
    fields: { '': 'Save the current list as' },
    answers: { 'GET /api/views': { views: [] } },
    open: () => {
      const Views = () => <ViewsDialog list={useLinkFilters()} onClose={onDone} />;
      showPage(<Views />, '/dashboard?tag=sale');
      return typeInto('Save the current list as', 'Sales');
    },
    controls: ['Save the current list as: Sales, maxlength=50, “Tag sale…”'],
    send: () => press('Save view'),
  },
  'a report that is no longer shared': {
    route: 'DELETE /api/shared-reports/r1',
    says: ['The report is no longer shared.'],
    reloads: ['shared-reports'],
    stays: true,
    answers: { 'GET /api/shared-reports': { reports: [REPORT] } },
    open: async () => {
      showPage(<OwnReports subject={{ kind: 'link', code: 'abc' }} onChange={onDone} />);
      await press('Stop sharing Clicks');
    },
    send: () => press('Stop sharing'),
  },
  'a changed report': {
    route: 'PATCH /api/shared-reports/r1',
    says: ['Shared report changed.'],
    reloads: ['shared-reports'],
    stays: true,
    fields: { title: 'Title', expiresAt: 'Ends', password: 'Password (optional)' },
    answers: { 'GET /api/shared-reports': { reports: [REPORT] } },
    open: async () => {
      const subject = { kind: 'link', code: 'abc' } as const;
      showPage(<ShareDialog subject={subject} title="Clicks" onClose={onDone} />);
      await press('Change Clicks');
    },
    controls: [
      'Title: Clicks, autocomplete=off, maxlength=120',
      '[x] Countries',
      '[ ] Devices',
      '[ ] Variants',
      '[ ] Short URL',
      '[ ] Destination',
      'Period: Last 30 days',
      'Ends: As now: no end',
      'Password (optional):, verbatim, password, new-password, maxlength=72, “Send it by…”',
    ],
    send: () => press('Save report'),
  },
  'a first link': {
    route: 'POST /api/shorten',
    reloads: ['my-urls'],
    fields: { '': 'Destination' },
    open: () => {
      const steps = { link: null, hasClicks: false, hasQr: false, onQr: onDone };
      showPage(<FirstStepsPanel {...steps} onCreated={onDone} />);
      return typeInto('Destination', 'example.com');
    },
    controls: ['Destination: example.com, verbatim, inputmode=url, dir=ltr'],
    send: () => press('Shorten'),
  },
  'a source of an import': {
    route: 'POST /api/links/import/source',
    accepted: { links: [{ shortCode: 'a', longUrl: 'https://a.example' }], total: 1, next: null },
    fields: { address: 'Address of the server', key: 'API key' },
    open: async () => {
      showPage(<ChooseSource onContent={onDone} />);
      await typeInto('Address of the server', 's.example.com');
      await typeInto('API key', 'k');
    },
    controls: [
      'Service: Shlink',
      'Address of the server: s.example.com, verbatim, url, dir=ltr',
      'API key: k, password, autocomplete=off, dir=ltr, “It is used…”',
    ],
    send: () => press('Read links'),
  },
});
