import { cleanup, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Domain } from '#contract/domains.ts';
import {
  CNAME_RECORD,
  domainList,
  makeDomain,
  makeSharedDomain,
  TXT_RECORD,
} from '#web/testing/make-domain.ts';
import { typeInto } from '#web/testing/describe-forms.ts';
import { choose, press, pressInDialog, renderPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts, useAnnouncement } from '#web/ui/announcer.ts';
import { shortHost } from '#web/shared/page/config.ts';
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
    const refusals = [failure(409, 'Already here.', { field: 'name' })];
    const domains: Domain[] = [];
    const calls = show({
      [LIST]: () => domainList(domains),
      'POST /api/domains': () => {
        const refusal = refusals.pop();
        if (refusal !== undefined) return refusal();
        domains.push(unproven());
        return unproven();
      },
    });
    expect(await screen.findByText(/^Put your own name on your short links/)).toBeTruthy();
    await press('Add domain');
    await typeInto('Domain', 'nonsense');
    pressInDialog('Add domain');
    expect(await screen.findByText('Enter a domain, such as go.example.com.')).toBeTruthy();
    await typeInto('Domain', ' https://Go.Example.com/path ');
    pressInDialog('Add domain');
    expect(await screen.findByText('Already here.')).toBeTruthy();
    pressInDialog('Add domain');
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
    expect(writesOf(calls)[1]).toEqual({
      call: 'POST /api/domains',
      body: { name: 'go.example.com' },
    });
    expect(takeToasts()).toMatchObject([
      { text: 'go.example.com added. Enter its DNS records next.' },
    ]);
    // The dialog stays until the list has the domain.
    expect(screen.getByText('Waiting for DNS')).toBeTruthy();
  });

  it('asks before it adds a host with a website, and not after the name changes', async () => {
    const calls = show({
      [LIST]: domainList([]),
      'POST /api/domains': failure(409, 'example.com has a website, which would stop.', {
        field: 'confirmed',
      }),
    });
    await press('Add domain');
    await typeInto('Domain', 'example.com');
    pressInDialog('Add domain');
    expect(await screen.findByText('example.com has a website, which would stop.')).toBeTruthy();
    const anyway = screen.getByRole('button', { name: 'Add anyway', hidden: true });
    expect(anyway.className).toContain('bg-bad');
    pressInDialog('Add anyway');
    await waitFor(() =>
      expect(writesOf(calls).map(({ body }) => body)).toEqual([
        { name: 'example.com' },
        { name: 'example.com', confirmed: true },
      ]),
    );
    await typeInto('Domain', 'HTTP://other.com?x=1');
    expect(screen.queryByText('example.com has a website, which would stop.')).toBeNull();
    pressInDialog('Add domain');
    await waitFor(() => expect(writesOf(calls).at(-1)?.body).toEqual({ name: 'other.com' }));
  });

  it('says that a deployment without domains offers none', async () => {
    show({ [LIST]: domainList([], { canAdd: false }) });
    expect(await screen.findByText(/^This site doesn’t offer domains/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add domain' })).toBeNull();
    expect(screen.queryByLabelText('Domain of new links')).toBeNull();
    expect(screen.queryByText(/^Every member can make links here/)).toBeNull();
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
    // The list of links, which says why those on a domain do not redirect.
    calls.client.setQueryData(['my-urls'], []);
    const isStale = () => calls.client.getQueryState(['my-urls'])?.isInvalidated;
    const { result: announced } = renderHook(useAnnouncement);
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
    expect(isStale()).toBe(false);
    await vi.advanceTimersByTimeAsync(15_500);
    expect(await screen.findByText('Connecting')).toBeTruthy();
    expect(isStale()).toBe(true);
    expect(announced.current).toMatch(/^go\.example\.com: Connecting\. The records are right/);
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
    const other = makeDomain({ name: 'other.example', displayName: 'other.example' });
    show({
      [LIST]: domainList([unproven({ checkedAt: new Date().toISOString() }), other]),
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
    expect(await screen.findAllByText('Active')).toHaveLength(2);
    expect(screen.getByRole('heading', { name: 'other.example' })).toBeTruthy();
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

  it('checks that fail make the pauses longer, too', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const times: number[] = [];
    show({
      [LIST]: domainList([unproven()]),
      [CHECK]: () => {
        times.push(Date.now());
        return failure(503, 'Down.')();
      },
    });
    await screen.findByText('Waiting for DNS');
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect((times[12] ?? 0) - (times[11] ?? 0)).toBeGreaterThanOrEqual(30_000);
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

  it('saves where the root and unknown codes lead', async () => {
    const wrong = ['notFoundUrl', 'rootUrl'];
    const calls = show({
      [LIST]: domainList([
        makeDomain({ rootUrl: 'https://example.com/', notFoundUrl: 'https://example.org/404' }),
      ]),
      'PATCH /api/domains/go.example.com': () =>
        failure(400, 'Enter a web address.', { field: wrong.shift() })(),
    });
    const facts = /Its root leads to example\.com · Unknown codes lead to example\.org\/404/;
    expect(await screen.findByText(facts)).toBeTruthy();
    await choose('Actions for go.example.com', 'Root and unknown codes');
    expect(screen.getByLabelText('Root (optional)')).toHaveProperty(
      'value',
      'https://example.com/',
    );
    const [root, unknown] = ['Root (optional)', 'Unknown codes (optional)'].map((label) =>
      screen.getByLabelText(label),
    );
    expect(unknown).toHaveProperty('value', 'https://example.org/404');
    await typeInto('Root (optional)', '');
    await typeInto('Unknown codes (optional)', ' nothing ');
    pressInDialog('Save domain');
    await waitFor(() => expect(unknown?.getAttribute('aria-invalid')).toBe('true'));
    expect(await screen.findByText('Enter a web address.')).toBeTruthy();
    await typeInto('Root (optional)', ' root ');
    pressInDialog('Save domain');
    await waitFor(() => expect(root?.getAttribute('aria-invalid')).toBe('true'));
    const call = 'PATCH /api/domains/go.example.com';
    expect(writesOf(calls)).toEqual([
      { call, body: { rootUrl: '', notFoundUrl: 'nothing' } },
      { call, body: { rootUrl: 'root', notFoundUrl: 'nothing' } },
    ]);
    serveRoutes({ [call]: makeDomain(), [LIST]: domainList([makeDomain()]) });
    pressInDialog('Save domain');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Domain saved.' }]));
    await waitFor(() => expect(screen.queryByText(facts)).toBeNull());
    expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
  });

  it('says what deleting stops, and deletes only after the name is typed', async () => {
    const domains = [makeDomain({ displayName: 'gö.example.com' })];
    const counts = [0, 1, 12];
    const refusals = [failure(409, 'Not this name.', { field: 'name' })];
    const isUp = [false, true];
    const calls = show({
      [LIST]: () => domainList(domains),
      'GET /api/domains/go.example.com': () =>
        (isUp.shift() ?? true)
          ? { ...domains[0], links: counts.shift(), clicks30Days: 3400 }
          : failure(503, 'Down.')(),
      'DELETE /api/domains/go.example.com': () => {
        const refusal = refusals.pop();
        if (refusal === undefined) domains.pop();
        return refusal?.() ?? { success: true };
      },
    });
    const open = () => choose('Actions for gö.example.com', 'Delete domain');
    await open();
    expect(await screen.findByText('We couldn’t load what this would stop.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Delete domain', hidden: true })).toBeNull();
    await press('Retry');
    expect(await screen.findByText(/^gö\.example\.com has no links/)).toBeTruthy();
    await press('Cancel');
    await open();
    expect(await screen.findByText(/^1 link on gö.* stops working.* It had/)).toBeTruthy();
    await press('Cancel');
    await open();
    const text = /^12 links on gö\.example\.com stop working.* They had 3,400 clicks/;
    expect(await screen.findByText(text)).toBeTruthy();
    await typeInto(/^Type “gö/, 'go.example');
    pressInDialog('Delete domain');
    expect(await screen.findByText('Type “gö.example.com”.')).toBeTruthy();
    expect(writesOf(calls)).toEqual([]);
    await typeInto(/^Type “gö/, 'go.example.com');
    pressInDialog('Delete domain');
    expect(await screen.findByText('Not this name.')).toBeTruthy();
    calls.client.setQueryData(['my-urls'], []);
    await typeInto(/^Type “gö/, ' GÖ.example.com');
    pressInDialog('Delete domain');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'gö.example.com deleted.' }]));
    const deletion = {
      call: 'DELETE /api/domains/go.example.com',
      body: { name: 'go.example.com' },
    };
    expect(writesOf(calls)).toEqual([deletion, deletion]);
    expect(calls.client.getQueryState(['my-urls'])?.isInvalidated).toBe(true);
    expect(await screen.findByText(/^Put your own name/)).toBeTruthy();
  });

  it('shows shared hosts, which nobody can change here, and chooses one for new links', async () => {
    const refusals = [failure(503, 'Not now.')];
    const calls = show({
      [LIST]: domainList([makeSharedDomain('link.example')], { canAdd: false }),
      'PUT /api/domains/default': () => refusals.pop()?.() ?? { success: true },
    });
    expect(await screen.findByText('Shared')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
    expect(screen.getByText(/^Every member can make links here\. This site doesn’t/)).toBeTruthy();
    await typeInto('Domain of new links', 'link.example');
    expect(await screen.findByText('Not now.')).toBeTruthy();
    await typeInto('Domain of new links', 'link.example');
    const choice = { call: 'PUT /api/domains/default', body: { name: 'link.example' } };
    await waitFor(() => expect(writesOf(calls)).toEqual([choice, choice]));
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
    await typeInto('Domain of new links', 'link.example');
    await waitFor(() => expect(isSaved).toBe(true));
    const field = screen.getByLabelText<HTMLSelectElement>('Domain of new links');
    await new Promise((resolve) => setTimeout(resolve, 20));
    // A disabled field would lose the focus.
    expect([field.value, field.disabled]).toEqual(['link.example', false]);
    answer();
    await waitFor(() => expect(takeToasts()).toHaveLength(1));
    expect(field.value).toBe('link.example');
    await typeInto('Domain of new links', '');
    await waitFor(() => {
      answer();
      expect(takeToasts()).toMatchObject([{ text: `New links are on ${shortHost()}.` }]);
    });
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
    const plans = screen.queryByRole('link', { name: 'See plans' });
    expect(plans?.getAttribute('href')).toBe(offers ? '/settings/plan' : undefined);
  });

  it('says that the domains could not be loaded, and tries again', async () => {
    let isDown = true;
    const list = domainList([makeSharedDomain('link.example'), makeDomain()], { limit: 2 });
    show({ [LIST]: () => (isDown ? failure(503, 'Down.')() : list) });
    expect(await screen.findByText('We couldn’t load your domains.')).toBeTruthy();
    isDown = false;
    await press('Retry');
    expect(await screen.findByRole('heading', { name: 'go.example.com' })).toBeTruthy();
    expect(screen.getByText(/ Your plan includes 2 domains of your own\.$/)).toBeTruthy();
    const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add domain' });
    expect(add.disabled).toBe(false);
  });
});
