import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { domainList, makeDomain } from '#web/testing/make-domain.ts';
import { typeInto } from '#web/testing/describe-forms.ts';
import { choose, press, pressInDialog, renderPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { DomainsPage } from './domains-page.tsx';

const LIST = 'GET /api/domains';
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
});

describe('DomainsPage', () => {
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
    expect(screen.getByText(/^Your plan includes 1 domain of your own/)).toBeTruthy();
    expect(await screen.findByText(/only the name moves, not the links/)).toBeTruthy();
    pressInDialog('Offer domain');
    expect(await screen.findByText('Enter an email address.')).toBeTruthy();
    await typeInto('Email of the other account', 'a@example.com');
    pressInDialog('Offer domain');
    expect(await screen.findByText('This is your own address.')).toBeTruthy();
    await typeInto('Email of the other account', ' b@example.com ');
    offeredUntil = '2026-12-04T12:00:00Z';
    pressInDialog('Offer domain');
    expect(await screen.findByText(/Offered to another account until Dec 4/)).toBeTruthy();
    const said = () => takeToasts().map(({ text }) => text);
    expect(said()).toEqual([
      'go.example.com offered to b@example.com, if that address has an account here.',
    ]);
    await choose('Actions for go.example.com', 'Withdraw offer');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ note: 'There is no offer.' }]));
    offeredUntil = null;
    await choose('Actions for go.example.com', 'Withdraw offer');
    await waitFor(() => expect(screen.queryByText(/Offered to another account/)).toBeNull());
    expect(said()).toEqual(['Offer of go.example.com withdrawn.']);
    const withdrawal = { call: 'DELETE /api/domains/go.example.com/transfer', body: null };
    expect(writesOf(calls).slice(1)).toEqual([
      { call: 'POST /api/domains/go.example.com/transfer', body: { email: 'b@example.com' } },
      withdrawal,
      withdrawal,
    ]);
  });

  it('accepts and declines what others offer, and says why that failed', async () => {
    const offers = [
      { name: 'a.example', displayName: 'a.example', from: 'b@example.com' },
      { name: 'b.example', displayName: 'bé.example', from: 'b@example.com' },
    ];
    const accepted = [failure(429, 'Your plan includes one domain.')];
    const declined = [failure(404, 'This offer has ended.')];
    const calls = show({
      [LIST]: () => domainList([], { offers }),
      'POST /api/domains/a.example/transfer/accept': () =>
        accepted.pop()?.() ?? offers.shift() ?? {},
      'DELETE /api/domains/b.example/transfer': () => declined.pop()?.() ?? offers.pop() ?? {},
    });
    expect(await screen.findByText('Offered to you')).toBeTruthy();
    await press('Accept a.example');
    expect(await screen.findByText('Your plan includes one domain.')).toBeTruthy();
    expect(screen.getByText('bé.example').parentElement?.textContent).toBe(
      'bé.example (b.example) from b@example.com',
    );
    await press('Decline bé.example');
    expect(await screen.findByText('This offer has ended.')).toBeTruthy();
    expect(writesOf(calls).map(({ call }) => call)).toEqual([
      'POST /api/domains/a.example/transfer/accept',
      'DELETE /api/domains/b.example/transfer',
    ]);
    calls.client.setQueryData(['my-urls'], []);
    await press('Accept a.example');
    await waitFor(() => expect(screen.queryByText('a.example')).toBeNull());
    expect(calls.client.getQueryState(['my-urls'])?.isInvalidated).toBe(true);
    await press('Decline bé.example');
    await waitFor(() => expect(screen.queryByText('Offered to you')).toBeNull());
    expect(takeToasts().map(({ text }) => text)).toEqual([
      'a.example is yours now.',
      'bé.example declined.',
    ]);
  });
});
