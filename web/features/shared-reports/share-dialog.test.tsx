import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedReport } from '#contract/reports/shared-reports.ts';
import { reloadMe, useMe } from '#web/shared/api/use-me.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { makeSharedReport } from '#web/testing/make-shared-report.ts';
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
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
});
afterEach(() => {
  cleanup();
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

  it('sends the parts, dates, end and password that were chosen', async () => {
    const calls = show({}, { kind: 'tag' });
    fireEvent.click(await screen.findByLabelText('Their destinations'));
    fireEvent.click(screen.getByLabelText('Countries'));
    fireEvent.change(screen.getByLabelText('Period'), { target: { value: 'dates' } });
    fireEvent.change(screen.getByLabelText('Ends'), { target: { value: '7' } });
    fireEvent.change(screen.getByLabelText('Password (optional)'), {
      target: { value: 'correct horse' },
    });
    await press('Create and copy address');
    await screen.findByText('Enter the first day.');
    expect(writesOf(calls)).toEqual([]);
    fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2026-10-01' } });
    fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-10-31' } });
    await press('Create and copy address');
    await screen.findByText(ADDRESS);
    expect(writesOf(calls)[0]?.body).toMatchObject({
      tagId: 7,
      parts: ['devices', 'sources', 'shortUrls', 'links', 'destinations'],
      period: 'dates',
      from: '2026-10-01',
      to: '2026-10-31',
      expiresAt: expect.stringMatching(/^\d{4}-/),
      password: 'correct horse',
    });
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

  it('lists the reports of the link before the others, and stops sharing one', async () => {
    const other = makeSharedReport({
      id: 'r2',
      title: 'Other',
      subject: { kind: 'tag', id: 7, name: 'launch' },
      hasPassword: true,
    });
    const calls = show(
      { 'DELETE /api/shared-reports/r1': {} },
      { reports: [other, makeSharedReport()] },
    );
    const own = await screen.findByRole('region', { name: 'Shared for this link' });
    expect(within(own).getByText('spring · Last 30 days')).toBeTruthy();
    expect(
      within(screen.getByRole('region', { name: 'Shared for others' })).getByText(
        'Tag launch · Last 30 days · password',
      ),
    ).toBeTruthy();
    await press('Stop sharing Spring campaign');
    expect(writesOf(calls)).toEqual([]);
    await press('Stop sharing');
    await waitFor(() =>
      expect(writesOf(calls).map(({ call }) => call)).toEqual(['DELETE /api/shared-reports/r1']),
    );
  });

  it('changes a report without touching its end and password', async () => {
    const before = makeSharedReport({ hasPassword: true, expiresAt: '2200-01-01T00:00:00Z' });
    const calls = show({ 'PATCH /api/shared-reports/r1': before }, { reports: [before] });
    await press('Change Spring campaign');
    fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Summer' } });
    await press('Save report');
    await waitFor(() => expect(writesOf(calls)).toHaveLength(1));
    expect(writesOf(calls)[0]?.body).toEqual({
      title: 'Summer',
      parts: ['countries'],
      period: '30d',
    });
    await press('Change Spring campaign');
    fireEvent.click(await screen.findByLabelText('Remove the password'));
    await press('Save report');
    await waitFor(() =>
      expect(writesOf(calls)[1]?.body).toMatchObject({ password: null, period: '30d' }),
    );
  });
});
