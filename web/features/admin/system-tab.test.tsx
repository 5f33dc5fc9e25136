import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type {
  ReplayResponse,
  Signal,
  SystemJob,
  SystemReport,
  TestAlertResponse,
} from '#contract/system/system.ts';
import { formatBytes } from '#contract/format-bytes.ts';
import { startSession } from '#web/shared/session/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { Toaster } from '#web/ui/toaster.tsx';
import { SystemTab } from './system-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const AT = '2026-11-20T12:00:00.000Z';
const DAYS_AGO = '2026-11-17T12:00:00.000Z';
const signal = (name: Signal['signal'], state: Signal['state'], sentence: string): Signal => ({
  signal: name,
  state,
  sentence,
  figure: '',
  since: state === 'bad' ? '2026-11-20T11:00:00.000Z' : null,
});
const WARNING = { ...signal('queue', 'warn', 'The queue is long.'), figure: '1,200 messages' };
const jobOf = (name: string, over: Partial<SystemJob>): SystemJob => ({
  name,
  startedAt: '2026-11-20T10:00:00.000Z',
  finishedAt: '2026-11-20T10:30:00.000Z',
  ok: true,
  detail: '',
  failingSince: null,
  backlog: null,
  ...over,
});
const SSO: NonNullable<SystemReport['sso']> = {
  issuer: 'https://acme.example',
  callback: 'https://hop.example/callback',
  look: { at: '2026-11-20T11:00:00.000Z', fault: '' },
  failures: [
    { at: '2026-11-18T12:00:00.000Z', sentence: 'Denied.', detail: 'id_token' },
    { at: DAYS_AGO, sentence: 'Canceled.', detail: '' },
  ],
};
const reportOf = (over: Partial<SystemReport> = {}): SystemReport => ({
  checkedAt: AT,
  release: { version: '1.2.3', schema: '0012_system', deployedAt: null },
  signals: [
    signal('database', 'ok', 'D1 answers.'),
    signal('cron', 'unknown', 'Cron has not run yet.'),
    signal('queue', 'warn', 'The queue is long.'),
    signal('dead-letters', 'bad', '5 clicks are set aside.'),
  ],
  jobs: [],
  sso: null,
  alerts: ['mail'],
  setAside: {
    windows: 2,
    clicks: 5,
    reasons: [{ reason: 'D1_ERROR: refused', windows: 2, clicks: 5, since: DAYS_AGO }],
  },
  database: {
    bytes: 7_400_000_000,
    limitBytes: 10_000_000_000,
    fullOn: '2027-01-06T12:00:00.000Z',
  },
  ...over,
});

/** Shows the tab. Returns the bodies of the write requests. */
function show(
  answer: () => Response,
  result?: ReplayResponse | TestAlertResponse | Response,
): string[] {
  signInAsMember({ email: 'me@example.com' });
  const writes: string[] = [];
  vi.stubGlobal('fetch', (_: string, init: RequestInit = {}) => {
    if (init.method !== 'POST') return Promise.resolve(answer());
    writes.push(typeof init.body === 'string' ? init.body : '');
    return Promise.resolve(result instanceof Response ? result.clone() : Response.json(result));
  });
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <SystemTab />
      <Toaster />
    </QueryClientProvider>,
  );
  return writes;
}

describe('SystemTab', () => {
  it('shows what is wrong first, with its beginning, and when the database is full', async () => {
    const jobs = [
      jobOf('clean', { detail: 'D1 is away.', failingSince: AT }),
      jobOf('fold', { finishedAt: null }),
      jobOf('purge', { backlog: { left: 1200, since: AT } }),
      jobOf('ready', {}),
    ];
    const release = { ...reportOf().release, deployedAt: '2026-11-18T12:00:00.000Z' };
    const answers = [reportOf({ jobs, release }), reportOf({ signals: [WARNING], sso: SSO })];
    show(() => Response.json(answers.shift()));
    await screen.findByText('1 signal needs attention');
    const rows = within(screen.getByRole('list', { name: 'Jobs' })).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'cleanFails D1 is away.2 hours ago',
      'foldRunning 2 hours ago',
      'purge1,200 left 2 hours ago',
      'ready 2 hours ago',
    ]);
    expect(screen.getByText('Fails').className).toContain('text-bad');
    const definitions = () =>
      [...document.querySelectorAll('dd')].map(({ textContent }) => textContent);
    expect(definitions()).toEqual(['1.2.3', '0012_system', '2 days ago']);
    expect(screen.getByText('5 clicks in 2 windows. They are kept for 7 days.')).toBeTruthy();
    expect(screen.getByText(/^5 clicks in 2 windows, the first/).textContent).toMatch(
      /3 days ago$/,
    );
    const lines = within(screen.getByRole('list', { name: 'Signals' })).getAllByRole('listitem');
    expect(lines[0]?.textContent).toMatch(
      /^Dead letters: Fault\.5 clicks are set aside\.Since .*1 hour ago/,
    );
    expect(lines[3]?.textContent).toContain('Database: Fine.D1 answers.');
    const labels = lines.map(({ textContent }) => /: (\w+)\./.exec(textContent)?.[1]);
    expect(labels).toEqual(['Fault', 'Warning', 'Unknown', 'Fine']);
    expect(screen.getByText('Full on Jan 6, 2027')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('Works, with 1 warning')).toBeTruthy();
    const [line] = within(screen.getByRole('list', { name: 'Signals' })).getAllByRole('listitem');
    expect(line?.textContent).toBe('Click queue: Warning.The queue is long.1,200 messages');
    expect(screen.getByText('No job has run yet')).toBeTruthy();
    const facts = definitions();
    expect(facts[0]).toBe('https://acme.example');
    expect(facts[1]).toContain('https://hop.example/callback');
    expect(facts[2]).toBe('1 hour ago: it answered as it should.');
    const [failed, other] = [...(screen.getByText('Denied.').closest('ul')?.children ?? [])];
    expect([failed?.textContent, other?.textContent]).toEqual([
      'Denied.2 days ago · id_token',
      'Canceled.3 days ago',
    ]);
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByRole('button', { name: 'Check again', busy: true })).toBeTruthy();
  });

  it('says why clicks were not counted and no test was sent', async () => {
    const answer = vi.fn(() => Response.json(reportOf()));
    show(answer, Response.json({ error: 'Down.' }, { status: 503 }));
    fireEvent.click(await screen.findByRole('button', { name: 'Send a test alert' }));
    expect((await screen.findAllByText('Failed to send a test alert')).length).toBeGreaterThan(0);
    // The report says since when alerts and clicks fail.
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
    fireEvent.click(screen.getByRole('button', { name: 'Count now' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Count clicks' }));
    expect((await screen.findAllByText('Failed to count the clicks')).length).toBeGreaterThan(0);
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(3));
    expect(screen.queryByRole('dialog')).toBeNull();
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    fireEvent.click(screen.getByRole('button', { name: 'Count now' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByText('Count clicks'));
    expect(await screen.findByRole('button', { name: 'Count now', busy: true })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Send a test alert' }));
    expect(await screen.findByRole('button', { name: /^Send a test/, busy: true })).toBeTruthy();
  });

  it('counts the clicks that are set aside after a confirmation', async () => {
    const answer = vi.fn(() => Response.json(reportOf()));
    const writes = show(answer, { windows: 1, clicks: 3, failed: 1, left: 1 });
    fireEvent.click(await screen.findByRole('button', { name: 'Count now' }));
    const dialog = await screen.findByRole('dialog', { name: 'Count these clicks?' });
    expect(writes).toEqual([]);
    const confirm = within(dialog).getByRole('button', { name: 'Count clicks' });
    expect(confirm.className).not.toContain('bg-bad');
    fireEvent.click(confirm);
    await waitFor(() => expect(writes).toEqual(['{"action":"replay"}']));
    await screen.findByText('3 clicks counted');
    await screen.findByText(/^1 window left/);
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
  });

  it('says that all is well, and sends no test where no channel is set', async () => {
    const fine = {
      signals: [signal('database', 'ok', 'D1 answers.')],
      setAside: { windows: 0, clicks: 0, reasons: [] },
      database: { bytes: null, limitBytes: 1, fullOn: null },
      sso: { ...SSO, look: null, failures: [] },
    };
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const answer = vi.fn(() => Response.json(reportOf({ ...fine, alerts: [] })));
    show(answer);
    await screen.findByText('Everything works');
    expect(screen.getByText('Not yet. The first sign-in asks it.')).toBeTruthy();
    expect(screen.getByText('None.')).toBeTruthy();
    expect(screen.queryByText(/^Database: .* of/)).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(answer).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
    expect(screen.queryByRole('button', { name: 'Count now' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send a test alert' })).toBeNull();
  });

  it('sends a test alert and says how each channel took it', async () => {
    const channels: TestAlertResponse['channels'] = [
      { channel: 'mail', sent: 2, failed: 1, fault: 'E_RECIPIENT_SUPPRESSED' },
      { channel: 'webhook', sent: 0, failed: 1, fault: 'HTTP 500' },
    ];
    const look = { at: '2026-11-20T11:00:00.000Z', fault: 'Unreachable.' };
    const report = reportOf({ alerts: ['mail', 'webhook'], sso: { ...SSO, look } });
    const answer = vi.fn(() => Response.json(report));
    const writes = show(answer, { channels });
    await screen.findByText('They go to administrators by mail and to the webhook.');
    expect(screen.getByText('1 hour ago: Unreachable.').className).toContain('text-bad');
    fireEvent.click(screen.getByRole('button', { name: 'Send a test alert' }));
    await screen.findByText(/^Webhook:/);
    expect(writes).toHaveLength(1);
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
    const shown = screen.getByText(/^Mail:/).closest('output');
    expect(shown?.textContent).toBe(
      'Mail: accepted for 2 administrators, failed for 1 (E_RECIPIENT_SUPPRESSED).Webhook: failed (HTTP 500).',
    );
  });

  it('says when no administrator can be mailed', async () => {
    const nobody = {
      channel: 'mail',
      sent: 0,
      failed: 0,
      fault: 'no administrator has an address',
    };
    const taken = { channel: 'webhook', sent: 1, failed: 0, fault: '' } as const;
    const database = { ...reportOf().database, fullOn: null };
    show(() => Response.json(reportOf({ database })), {
      channels: [{ ...nobody, channel: 'mail' }, taken],
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Send a test alert' }));
    const meter = screen.getByText('Database: 7.4 GB of 10 GB').closest('div');
    expect(meter?.querySelector('[style]')?.getAttribute('style')).toContain('scaleX(0.74)');
    expect(screen.getByText('Too little growth to say when it is full')).toBeTruthy();
    await waitFor(() =>
      expect(screen.getByText(/^Mail:/).closest('output')?.textContent).toBe(
        'Mail: failed (no administrator has an address).Webhook: accepted.',
      ),
    );
  });

  it.each([
    [0, '0 KB'],
    [999_900, '1,000 KB'],
    [1_000_000, '1 MB'],
    [9_940_000, '9.9 MB'],
    [999_900_000, '1,000 MB'],
    [1_000_000_000, '1 GB'],
    [7_400_000_000, '7.4 GB'],
  ])('a database of %i bytes is shown as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [{ clicks: 5, windows: 2, failed: 0, left: 0 }, '5 clicks counted', null],
    [{ clicks: 5, windows: 2, failed: 0, left: 1 }, '5 clicks counted', /^1 window left\. Count/],
    [{ clicks: 5, windows: 1, failed: 1, left: 0 }, '5 clicks counted', null],
    [
      { clicks: 0, windows: 0, failed: 1, left: 1 },
      'The clicks were rejected again',
      'The list has the reason.',
    ],
  ])('the result %j of counting is told', async (result, text, note) => {
    show(() => Response.json(reportOf()), result);
    fireEvent.click(await screen.findByRole('button', { name: 'Count now' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Count clicks' }));
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    expect(screen.queryAllByText(note ?? /left\. Count|has the reason/).length > 0).toBe(
      note !== null,
    );
  });

  it('offers a retry when the state cannot be loaded', async () => {
    let fails = true;
    const broken = {
      error: 'We couldn’t reach our database.',
      code: 'unavailable',
      requestId: 'x',
    };
    show(() => (fails ? Response.json(broken, { status: 503 }) : Response.json(reportOf())));
    await screen.findByText(/could not be loaded\. We couldn’t reach our database\./);
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('1 signal needs attention');
  });
});
