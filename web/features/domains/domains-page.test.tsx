import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Domain } from '#contract/domains.ts';
import {
  CNAME_RECORD,
  domainList,
  makeDomain,
  makeSharedDomain,
  TXT_RECORD,
} from '#web/testing/make-domain.ts';
import { choose, press, renderPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { DomainsPage } from './domains-page.tsx';

const LIST = 'GET /api/domains';
const CHECK = 'POST /api/domains/go.example.com/check';
const unproven = (change: Partial<Domain> = {}): Domain =>
  makeDomain({
    state: 'unproven',
    fault: 'wrong_value',
    records: [
      { ...TXT_RECORD, state: 'missing', seen: [] },
      { ...CNAME_RECORD, state: 'wrong', seen: ['old.example.net'] },
    ],
    ...change,
  });

const show = (answers: Parameters<typeof serveRoutes>[0]) => {
  const calls = serveRoutes(answers);
  const { client } = renderPage(<DomainsPage />, ['/settings/domains']);
  return Object.assign(calls, { client });
};
const type = async (label: string | RegExp, value: string): Promise<void> => {
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
};
const submit = (name: string): void => {
  const dialog = within(screen.getByRole('dialog', { hidden: true }));
  fireEvent.click(dialog.getByRole('button', { name, hidden: true }));
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('DomainsPage', () => {
  it('says what a domain brings, and adds one with the name from a pasted address', async () => {
    const calls = show({
      [LIST]: domainList([]),
      'POST /api/domains': () => Response.json(unproven(), { status: 201 }),
    });
    expect(await screen.findByText(/^Put your own name on your short links/)).toBeTruthy();
    await press('Add domain');
    await type('Domain', 'nonsense');
    submit('Add domain');
    expect(await screen.findByText('Enter a domain, such as go.example.com.')).toBeTruthy();
    await type('Domain', ' https://Go.Example.com/path ');
    submit('Add domain');
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
    expect(writesOf(calls)).toEqual([
      { call: 'POST /api/domains', body: { name: 'go.example.com' } },
    ]);
  });

  it('asks before it adds a host with a website, and not after the name changes', async () => {
    const calls = show({
      [LIST]: domainList([]),
      'POST /api/domains': failure(409, 'example.com has a website, which would stop.', {
        field: 'confirmed',
      }),
    });
    await press('Add domain');
    await type('Domain', 'example.com');
    submit('Add domain');
    expect(await screen.findByText('example.com has a website, which would stop.')).toBeTruthy();
    submit('Add anyway');
    await waitFor(() =>
      expect(writesOf(calls).map(({ body }) => body)).toEqual([
        { name: 'example.com' },
        { name: 'example.com', confirmed: true },
      ]),
    );
    await type('Domain', 'other.com');
    expect(screen.queryByText('example.com has a website, which would stop.')).toBeNull();
    submit('Add domain');
    await waitFor(() => expect(writesOf(calls).at(-1)?.body).toEqual({ name: 'other.com' }));
  });

  it('says that a deployment without domains offers none', async () => {
    show({ [LIST]: domainList([], { canAdd: false }) });
    expect(await screen.findByText(/^This site doesn’t offer domains/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add domain' })).toBeNull();
  });

  it('shows each record with what is there instead, and the result of each check', async () => {
    const answers = [
      unproven(),
      makeDomain({ state: 'pending', fault: 'certificate_pending' }),
      makeDomain(),
    ];
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const calls = show({
      [LIST]: domainList([unproven({ checkedAt: null })]),
      [CHECK]: () => answers.shift() ?? makeDomain(),
    });
    const records = await screen.findByRole('list', { name: 'DNS records' });
    expect(
      within(records)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'TXT recordNot found yetName_hop.go.example.comValuehop-0123456789',
      'CNAME recordFound instead: old.example.netNamego.example.comValuedomains.hop.example',
    ]);
    expect(within(records).getAllByRole('button', { name: /^Copy the/ })).toHaveLength(4);
    expect(screen.getByText(/^Step 1 of 2: enter this record/)).toBeTruthy();
    expect(screen.getByText(/come back within 7 days/)).toBeTruthy();
    expect(await screen.findByText(/A record has another value/)).toBeTruthy();
    // The list of links, which says why those on a domain do not redirect.
    calls.client.setQueryData(['my-urls'], []);
    await vi.advanceTimersByTimeAsync(15_500);
    expect(await screen.findByText('Connecting')).toBeTruthy();
    expect(calls.client.getQueryState(['my-urls'])?.isInvalidated).toBe(true);
    expect(screen.getByText(/^The records are right. The certificate/)).toBeTruthy();
    screen.getByRole('button', { name: 'Check now' }).focus();
    await vi.advanceTimersByTimeAsync(15_500);
    expect(await screen.findByText('Active')).toBeTruthy();
    // The focused button has disappeared.
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    const checks = writesOf(calls).length;
    expect(checks).toBe(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writesOf(calls)).toHaveLength(checks);
  });

  it('“Check now” says what it found, or why it found nothing', async () => {
    let isUp = false;
    show({
      [LIST]: domainList([unproven({ checkedAt: new Date().toISOString() })]),
      [CHECK]: () => (isUp ? makeDomain() : failure(429, 'Wait a minute.')()),
    });
    await press('Check now');
    const said = () => takeToasts().map(({ text, note }) => [text, note]);
    await waitFor(() =>
      expect(said()).toEqual([['We couldn’t check the domain.', 'Wait a minute.']]),
    );
    isUp = true;
    await press('Check now');
    await waitFor(() => expect(said()).toEqual([['Checked go.example.com: Active.', '']]));
    expect(await screen.findByText('Active')).toBeTruthy();
  });

  it('sends at most five checks a minute, however many domains wait', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const waiting = ['a.example', 'b.example', 'c.example'].map((name) =>
      unproven({ name, displayName: name }),
    );
    const calls = show({
      [LIST]: domainList([...waiting, makeDomain()]),
      ...Object.fromEntries(waiting.map((one) => [`POST /api/domains/${one.name}/check`, one])),
    });
    await screen.findAllByText('Waiting for DNS');
    await vi.advanceTimersByTimeAsync(1000);
    expect(writesOf(calls)).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(writesOf(calls).length).toBeGreaterThan(8);
    expect(writesOf(calls).length).toBeLessThanOrEqual(3 + 2 * 5);
  });

  it('stops checking while the page is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const calls = show({ [LIST]: domainList([unproven()]), [CHECK]: unproven() });
    await screen.findByText('Waiting for DNS');
    await vi.advanceTimersByTimeAsync(500);
    expect(writesOf(calls)).toHaveLength(1);
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writesOf(calls)).toHaveLength(1);
    hidden.mockRestore();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(writesOf(calls).length).toBeGreaterThan(1);
  });

  it.each([
    ['suspended', { suspendedReason: 'Phishing' }, /stopped this domain: Phishing\./],
    ['failing', { fault: 'moved' }, /no longer points to us.*are not deleted/],
    ['pending', { fault: 'proxied_elsewhere' }, /error 1014.*DNS only/],
    ['pending', { fault: 'caa_forbids' }, /CAA record/],
  ] as const)('a domain that is %s with %j says so', async (state, change, text) => {
    show({
      [LIST]: domainList([makeDomain({ state, ...change })]),
      [CHECK]: makeDomain({ state, ...change }),
    });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('offers no action on a suspended domain', async () => {
    show({
      [LIST]: domainList([makeDomain({ state: 'suspended', suspendedReason: 'Phishing' })]),
    });
    expect(await screen.findByText('Suspended')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Actions/ })).toBeNull();
  });

  it('saves where the root and unknown codes lead', async () => {
    const calls = show({
      [LIST]: domainList([
        makeDomain({ rootUrl: 'https://example.com/', notFoundUrl: 'https://example.org/404' }),
      ]),
      'PATCH /api/domains/go.example.com': failure(400, 'Enter a web address.', {
        field: 'notFoundUrl',
      }),
    });
    const facts = /Its root leads to example\.com · Unknown codes lead to example\.org\/404/;
    expect(await screen.findByText(facts)).toBeTruthy();
    await choose('Actions for go.example.com', 'Root and unknown codes');
    expect(screen.getByLabelText('Root (optional)')).toHaveProperty(
      'value',
      'https://example.com/',
    );
    await type('Root (optional)', '');
    await type('Unknown codes (optional)', 'nothing');
    submit('Save domain');
    expect(await screen.findByText('Enter a web address.')).toBeTruthy();
    expect(writesOf(calls)).toEqual([
      {
        call: 'PATCH /api/domains/go.example.com',
        body: { rootUrl: '', notFoundUrl: 'nothing' },
      },
    ]);
  });

  it('says what deleting stops, and deletes only after the name is typed', async () => {
    const calls = show({
      [LIST]: domainList([makeDomain()]),
      'GET /api/domains/go.example.com': { ...makeDomain(), links: 12, clicks30Days: 3400 },
      'DELETE /api/domains/go.example.com': { success: true },
    });
    await choose('Actions for go.example.com', 'Delete domain');
    expect(await screen.findByText(/^12 links on go.example.com stop.*3,400 clicks/)).toBeTruthy();
    await type(/^Type “go.example.com”/, 'go.example');
    submit('Delete domain');
    expect(await screen.findByText('Type “go.example.com”.')).toBeTruthy();
    expect(writesOf(calls)).toEqual([]);
    await type(/^Type “go.example.com”/, ' GO.example.com');
    submit('Delete domain');
    await waitFor(() =>
      expect(writesOf(calls)).toEqual([
        { call: 'DELETE /api/domains/go.example.com', body: { name: 'go.example.com' } },
      ]),
    );
  });

  it('offers a domain to another account, and withdraws the offer', async () => {
    let offeredUntil: string | null = null;
    const refusals = [failure(400, 'This is your own address.', { field: 'email' })];
    const endings = [failure(404, 'There is no offer.')];
    const calls = show({
      [LIST]: () => Response.json(domainList([makeDomain({ offeredUntil })])),
      'POST /api/domains/go.example.com/transfer': () => refusals.pop()?.() ?? { success: true },
      'DELETE /api/domains/go.example.com/transfer': () => endings.pop()?.() ?? { success: true },
    });
    await choose('Actions for go.example.com', 'Transfer domain');
    expect(await screen.findByText(/only the name moves, not the links/)).toBeTruthy();
    submit('Offer domain');
    expect(await screen.findByText('Enter an email address.')).toBeTruthy();
    await type('Email of the other account', 'a@example.com');
    submit('Offer domain');
    expect(await screen.findByText('This is your own address.')).toBeTruthy();
    await type('Email of the other account', ' b@example.com ');
    offeredUntil = '2026-12-04T12:00:00Z';
    submit('Offer domain');
    expect(await screen.findByText(/Offered to another account until/)).toBeTruthy();
    await choose('Actions for go.example.com', 'Withdraw offer');
    await waitFor(() => expect(takeToasts().at(-1)?.note).toBe('There is no offer.'));
    offeredUntil = null;
    await choose('Actions for go.example.com', 'Withdraw offer');
    await waitFor(() => expect(screen.queryByText(/Offered to another account/)).toBeNull());
    const withdrawal = { call: 'DELETE /api/domains/go.example.com/transfer', body: null };
    expect(writesOf(calls).slice(1)).toEqual([
      { call: 'POST /api/domains/go.example.com/transfer', body: { email: 'b@example.com' } },
      withdrawal,
      withdrawal,
    ]);
  });

  it('accepts and declines what others offer, and says why that failed', async () => {
    const offers = ['a.example', 'b.example'].map((name) => ({
      name,
      displayName: name,
      from: 'b@example.com',
    }));
    const calls = show({
      [LIST]: domainList([], { offers }),
      'POST /api/domains/a.example/transfer/accept': failure(429, 'Your plan includes one domain.'),
      'DELETE /api/domains/b.example/transfer': failure(404, 'This offer has ended.'),
    });
    expect(await screen.findByText('Offered to you')).toBeTruthy();
    await press('Accept a.example');
    expect(await screen.findByText('Your plan includes one domain.')).toBeTruthy();
    await press('Decline b.example');
    expect(await screen.findByText('This offer has ended.')).toBeTruthy();
    expect(writesOf(calls).map(({ call }) => call)).toEqual([
      'POST /api/domains/a.example/transfer/accept',
      'DELETE /api/domains/b.example/transfer',
    ]);
  });

  it('shows shared hosts, which nobody can change here, and chooses one for new links', async () => {
    const calls = show({
      [LIST]: domainList([makeSharedDomain('link.example')], { canAdd: false }),
      'PUT /api/domains/default': { success: true },
    });
    expect(await screen.findByText('Shared')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
    expect(screen.getByText(/Every member can make links/)).toBeTruthy();
    await type('Domain of new links', 'link.example');
    await waitFor(() =>
      expect(writesOf(calls)).toEqual([
        { call: 'PUT /api/domains/default', body: { name: 'link.example' } },
      ]),
    );
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'New links are on link.example.' }]),
    );
  });

  it('keeps the chosen domain in the field while the list loads again', async () => {
    let isSaved = false;
    let answer = (): void => undefined;
    const shared = [makeSharedDomain('link.example')];
    show({
      [LIST]: () =>
        isSaved
          ? new Promise<Response>((resolve) => {
              answer = () =>
                resolve(Response.json(domainList(shared, { defaultDomain: 'link.example' })));
            })
          : domainList(shared),
      'PUT /api/domains/default': () => {
        isSaved = true;
        return { success: true };
      },
    });
    await type('Domain of new links', 'link.example');
    await waitFor(() => expect(isSaved).toBe(true));
    const field = screen.getByLabelText<HTMLSelectElement>('Domain of new links');
    await new Promise((resolve) => setTimeout(resolve, 20));
    // A disabled field would lose the focus.
    expect([field.value, field.disabled]).toEqual(['link.example', false]);
    answer();
    await waitFor(() => expect(takeToasts()).toHaveLength(1));
    expect(field.value).toBe('link.example');
  });

  it.each([
    [1, 'Your plan includes 1 domain of your own. Premium includes 10.', true],
    [10, 'Your plan includes 10 domains of your own. Delete one to add another.', false],
  ])('at a limit of %i it offers more only where there are', async (limit, text, offers) => {
    const domains = Array.from({ length: limit }, (_, index) =>
      makeDomain({ name: `d${index}.example`, displayName: `d${index}.example` }),
    );
    show({ [LIST]: domainList([makeSharedDomain('link.example'), ...domains], { limit }) });
    const about = 'Every member can make links on shared domains.';
    expect(await screen.findByText(`${about} ${text}`)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add domain' }).disabled).toBe(
      true,
    );
    expect(screen.queryByRole('link', { name: 'See plans' }) !== null).toBe(offers);
  });

  it('says that the domains could not be loaded, and tries again', async () => {
    let isDown = true;
    show({ [LIST]: () => (isDown ? failure(503, 'Down.')() : domainList([makeDomain()])) });
    expect(await screen.findByText('We couldn’t load your domains.')).toBeTruthy();
    isDown = false;
    await press('Retry');
    expect(await screen.findByRole('heading', { name: 'go.example.com' })).toBeTruthy();
  });
});
