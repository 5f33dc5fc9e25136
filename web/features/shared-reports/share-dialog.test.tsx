import { cleanup, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedReport } from '#contract/reports/shared-reports.ts';
import { reloadMe, useMe } from '#web/shared/api/use-me.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { makeSharedReport } from '#web/testing/make-shared-report.ts';
import { takeToasts, useAnnouncement } from '#web/ui/announcer.ts';
import { ShareDialog } from './share-dialog.tsx';

const ADDRESS = 'https://hop.example/share#secret';
const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);

function Page({ kind }: { kind: 'link' | 'tag' }) {
  // Loads the plan, as the header of every page does.
  useMe();
  return (
    <ShareDialog
      subject={kind === 'link' ? { kind, code: 'spring' } : { kind, id: 7 }}
      title="Clicks on spring"
      onClose={() => undefined}
    />
  );
}

const textOfReport = (row: HTMLElement): string =>
  row.querySelector('div > div')?.textContent ?? '';
const show = (
  answers: Parameters<typeof serveRoutes>[0] = {},
  { plan = 'premium', kind = 'link', reports = [] as SharedReport[] } = {},
) => {
  const calls = serveRoutes({
    'GET /api/me': { id: 'x', email: 'a@example.com', role: 'user', plan },
    'GET /api/shared-reports': { reports },
    'POST /api/shared-reports': { ...makeSharedReport(), address: ADDRESS },
    ...answers,
  });
  signInAsMember();
  reloadMe();
  renderPage(<Page kind={kind === 'tag' ? 'tag' : 'link'} />);
  return calls;
};

beforeEach(() => {
  vi.stubGlobal('ClipboardItem', undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  takeToasts();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  writeText.mockClear();
});

describe('ShareDialog', () => {
  it('shares a report with one press, and copies its address', async () => {
    const calls = show();
    await press('Create and copy address');
    await screen.findByText(ADDRESS);
    expect(writeText).toHaveBeenCalledWith(ADDRESS);
    expect(await screen.findByText(/^The address is on your clipboard\./)).toBeTruthy();
    expect(renderHook(useAnnouncement).result.current).toMatch(/^Copied!/);
    expect(screen.queryByText(/^Viewers need the password/)).toBeNull();
    expect(writesOf(calls)).toEqual([
      {
        call: 'POST /api/shared-reports',
        body: {
          title: 'Clicks on spring',
          parts: ['countries', 'devices', 'sources', 'shortUrls'],
          period: '30d',
          expiresAt: null,
          password: null,
          code: 'spring',
        },
      },
    ]);
  });

  it('says that the browser blocked copying, and not that the address is copied', async () => {
    writeText.mockRejectedValueOnce(new Error('blocked'));
    show();
    await press('Create and copy address');
    expect(await screen.findByText(/^Your browser blocked copying/)).toBeTruthy();
    expect(screen.queryByText(/on your clipboard/)).toBeNull();
    expect(screen.getByText(ADDRESS)).toBeTruthy();
  });

  it('sends the parts, dates, end and password that were chosen', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) });
    const created = { ...makeSharedReport({ hasPassword: true }), address: ADDRESS };
    const calls = show({ 'POST /api/shared-reports': created }, { kind: 'tag' });
    fireEvent.click(await screen.findByLabelText('Their destinations'));
    expect(screen.getByLabelText<HTMLInputElement>('Top links').checked).toBe(true);
    expect(screen.queryByLabelText('Variants')).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Their short URLs').checked).toBe(true);
    const parts = 'Besides the clicks by date, the report shows';
    expect(screen.getByRole('group', { name: parts })).toBeTruthy();
    const { options } = screen.getByLabelText<HTMLSelectElement>('Period');
    expect([...options].map(({ text }) => text)).toEqual([
      'Last 30 days',
      'Last 7 days',
      'Last 90 days',
      'Since creation, up to 13 months',
      'Fixed dates',
    ]);
    fireEvent.click(screen.getByLabelText('Countries'));
    fireEvent.change(screen.getByLabelText('Period'), { target: { value: 'dates' } });
    fireEvent.change(screen.getByLabelText('Ends'), { target: { value: '7' } });
    fireEvent.change(screen.getByLabelText('Password (optional)'), {
      target: { value: 'correct horse' },
    });
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: ' ' } });
    await press('Create and copy address');
    await screen.findByText('Enter the first day.');
    expect(screen.getByText('Enter the last day.')).toBeTruthy();
    expect(screen.getByText('Enter a title for the report.')).toBeTruthy();
    expect(writesOf(calls)).toEqual([]);
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Launch' } });
    fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2026-10-01' } });
    fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-10-31' } });
    await press('Create and copy address');
    await screen.findByText(ADDRESS);
    expect(writesOf(calls)[0]?.body).toMatchObject({
      title: 'Launch',
      tagId: 7,
      parts: ['devices', 'sources', 'shortUrls', 'links', 'destinations'],
      period: 'dates',
      from: '2026-10-01',
      to: '2026-10-31',
      expiresAt: '2026-11-27T12:00:00.000Z',
      password: 'correct horse',
    });
    expect(screen.getByText(/^Viewers need the password that you have set/)).toBeTruthy();
  });

  it('offers the parts of the plan only', async () => {
    show({}, { plan: 'free' });
    await screen.findByLabelText('Countries');
    expect(screen.queryByLabelText('Cities')).toBeNull();
    cleanup();
    show();
    await screen.findByLabelText('Cities');
  });

  it('shows a rejection beside its field, and keeps what was typed', async () => {
    show({
      'POST /api/shared-reports': failure(400, 'A password needs at least 6 characters.', {
        field: 'password',
      }),
    });
    await screen.findByText('Send it by another way than the address.');
    fireEvent.change(await screen.findByLabelText('Password (optional)'), {
      target: { value: 'short' },
    });
    await press('Create and copy address');
    const error = await screen.findByText('A password needs at least 6 characters.');
    const field = screen.getByLabelText<HTMLInputElement>('Password (optional)');
    expect([field.value, field.getAttribute('aria-describedby')]).toEqual([
      'short',
      expect.stringContaining(error.closest('[id]')?.id ?? 'none'),
    ]);
  });

  it('a title that is missing now replaces the rejection of the one before', async () => {
    const rejected = failure(400, 'This title is too long.', { field: 'title' });
    const calls = show({ 'POST /api/shared-reports': rejected });
    await press('Create and copy address');
    const field = (await screen.findByText('This title is too long.')).closest('div');
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: ' ' } });
    await press('Create and copy address');
    expect(field?.textContent).toContain('Enter a title for the report.');
    expect(screen.queryByText('This title is too long.')).toBeNull();
    expect(writesOf(calls)).toHaveLength(1);
  });

  it('lists the reports of the link before the others, and stops sharing one', async () => {
    const other = makeSharedReport({
      id: 'r2',
      title: 'Other',
      subject: { kind: 'tag', id: 7, name: 'launch' },
      hasPassword: true,
    });
    const autumn = makeSharedReport({
      id: 'r3',
      title: 'Autumn',
      subject: { kind: 'link', code: 'd.abcdefghjk/autumn' },
      period: 'dates',
      from: '2026-10-01',
      to: '2026-10-31',
      expiresAt: '2026-12-03T12:00:00Z',
      available: false,
    });
    let fails = true;
    const calls = show(
      { 'DELETE /api/shared-reports/r1': () => (fails ? failure(503, 'Down.')() : {}) },
      { reports: [other, autumn, makeSharedReport()] },
    );
    const own = await screen.findByRole('region', { name: 'Shared for this link' });
    expect(within(own).getByText('spring · Last 30 days')).toBeTruthy();
    const others = screen.getByRole('region', { name: 'Shared for others' });
    expect(within(others).getAllByRole('listitem').map(textOfReport)).toEqual([
      'OtherTag launch · Last 30 days · password',
      'Autumnautumn · 2026-10-01 to 2026-10-31 · ends Dec 3, 2026 · not shown while the link is off',
    ]);
    await press('Stop sharing Spring campaign');
    await press('Stop sharing');
    await screen.findByText('Down.');
    fails = false;
    const loads = () => calls.filter(({ call }) => call === 'GET /api/shared-reports').length;
    expect([loads(), takeToasts()]).toEqual([1, []]);
    await press('Stop sharing');
    await waitFor(() => expect(loads()).toBe(2));
    expect(takeToasts()).toMatchObject([{ text: 'The report is no longer shared.' }]);
    expect(writesOf(calls).map(({ call }) => call)).toEqual(
      Array.from({ length: 2 }, () => 'DELETE /api/shared-reports/r1'),
    );
  });

  it('stops sharing only after a second press, and lists the reports of the tag', async () => {
    const subject = (id: number) => ({ kind: 'tag', id, name: 'launch' }) as const;
    const reports = [8, 7].map((id) =>
      makeSharedReport({ id: `r${id}`, title: `Tag ${id}`, subject: subject(id) }),
    );
    const calls = show({}, { kind: 'tag', reports });
    const own = await screen.findByRole('region', { name: 'Shared for this tag' });
    expect(within(own).getAllByRole('listitem').map(textOfReport)).toEqual([
      'Tag 7Tag launch · Last 30 days',
    ]);
    await press('Stop sharing Tag 7');
    expect(screen.getByText('Its address stops working at once, for good.')).toBeTruthy();
    fireEvent.click(within(own).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText(/^Its address stops working/)).toBeNull();
    expect(writesOf(calls)).toEqual([]);
  });

  it('changes a report without touching its end and password', async () => {
    const before = makeSharedReport({ hasPassword: true, expiresAt: '2200-01-01T00:00:00Z' });
    const calls = show({ 'PATCH /api/shared-reports/r1': before }, { reports: [before] });
    await press('Change Spring campaign');
    fireEvent.change(await screen.findByLabelText('Title'), { target: { value: ' ' } });
    await press('Save report');
    await screen.findByText('Enter a title for the report.');
    expect(writesOf(calls)).toEqual([]);
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Summer' } });
    await press('Save report');
    await waitFor(() => expect(writesOf(calls)).toHaveLength(1));
    expect(writesOf(calls)[0]?.body).toEqual({
      title: 'Summer',
      parts: ['countries'],
      period: '30d',
    });
    await press('Change Spring campaign');
    await screen.findByLabelText('New password (optional)');
    const remove = screen.getByLabelText<HTMLInputElement>('Remove the password');
    fireEvent.click(remove);
    expect(remove.checked).toBe(true);
    expect(screen.queryByLabelText('New password (optional)')).toBeNull();
    for (const value of ['7', 'keep'])
      fireEvent.change(screen.getByLabelText('Ends'), { target: { value } });
    await press('Save report');
    await waitFor(() =>
      expect(writesOf(calls)[1]?.body).toEqual({
        title: 'Spring campaign',
        parts: ['countries'],
        period: '30d',
        password: null,
      }),
    );
  });
});
