import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookDelivery, Webhook, WebhooksResponse } from '#contract/webhooks/webhooks.ts';
import { currentAddress, goBack, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { WebhooksPage } from './webhooks-page.tsx';

const WEBHOOK: Webhook = {
  id: 'w1',
  url: 'https://hooks.example/in',
  description: 'Orders',
  events: ['link.created', 'link.clicked'],
  tag: null,
  createdAt: '2026-01-02T12:00:00Z',
  disabled: null,
  failingSince: null,
  previousSecretUntil: null,
};
const DELIVERY: WebhookDelivery = {
  id: 7,
  messageId: 'msg_1',
  type: 'link.created',
  status: 'failed',
  createdAt: '2026-01-02T12:00:00Z',
  attempts: 10,
  nextAttemptAt: null,
  response: { status: 500, text: 'out of order', durationMs: 12 },
  error: 'The endpoint answered 500.',
  body: '{"type":"link.created"}',
};

let webhooks: Webhook[] = [];
let notSent = 0;
let gets: string[] = [];
/** The time some days ago. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
type Sent = { method: string; path: string; body: unknown };

/** Serves the part of the API that the page uses. Returns the write requests. */
function serve(
  overrides: (method: string, path: string) => Response | Promise<Response> | null = () => null,
): Sent[] {
  const sent: Sent[] = [];
  const mock = vi.fn<typeof fetch>((input, init) => {
    const { pathname: path, search } = new URL(
      input instanceof Request ? input.url : input,
      'http://localhost',
    );
    const method = init?.method ?? 'GET';
    if (method === 'GET') gets.push(path + search);
    else
      sent.push({
        method,
        path,
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
      });
    const answer = overrides(method, path);
    if (answer !== null) return Promise.resolve(answer);
    if (path === '/api/tags')
      return Promise.resolve(Response.json({ tags: [{ id: 1, name: 'sale', color: 'blue' }] }));
    if (path.endsWith('/deliveries'))
      return Promise.resolve(Response.json({ deliveries: [DELIVERY], nextCursor: null }));
    const list: WebhooksResponse = {
      webhooks,
      limits: { endpoints: 2, deliveriesPerDay: 1000 },
      notSent,
    };
    return Promise.resolve(
      Response.json(method === 'GET' ? list : { ...WEBHOOK, secret: 'whsec_abc' }),
    );
  });
  vi.stubGlobal('fetch', mock);
  return sent;
}

const show = (path = '/settings/webhooks'): void => showPage(<WebhooksPage />, '/before', path);
const press = async (name: string): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name, hidden: true }));
};

beforeEach(() => {
  webhooks = [WEBHOOK];
  notSent = 0;
  gets = [];
  signInAsMember();
});
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('WebhooksPage', () => {
  it('says how many events were not sent, and nothing if all were', async () => {
    serve();
    show();
    expect(await screen.findByText(/1,000 deliveries a day/)).toBeTruthy();
    expect(screen.queryByText(/not sent/)).toBeNull();
    cleanup();
    notSent = 1234;
    show();
    expect(
      await screen.findByText(
        /^1,234 events of the last 7 days were not sent, because .* 1,000 deliveries a day\./,
      ),
    ).toBeTruthy();
  });

  it('adds a webhook with the chosen events and shows its secret until closed', async () => {
    webhooks = [];
    const sent = serve();
    show();
    await press('Add webhook');
    const dialog = await screen.findByRole('dialog', { hidden: true });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add webhook', hidden: true }));
    expect(await screen.findByText('Enter the address that gets the events.')).toBeTruthy();
    expect(sent).toEqual([]);
    fireEvent.change(within(dialog).getByLabelText('Address'), {
      target: { value: ' https://hooks.example/in ' },
    });
    fireEvent.change(await within(dialog).findByLabelText('Links'), { target: { value: 'sale' } });
    for (const name of ['link.updated', 'link.disabled', 'link.expired', 'link.clicked'])
      fireEvent.click(within(dialog).getByLabelText(name));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add webhook', hidden: true }));
    expect(await screen.findByText('whsec_abc')).toBeTruthy();
    const body = {
      url: 'https://hooks.example/in',
      description: '',
      events: ['link.created', 'link.deleted', 'link.clicked'],
      tag: 'sale',
    };
    expect(sent).toEqual([{ method: 'POST', path: '/api/webhooks', body }]);
    await press('Done');
    await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull());
  });

  it('keeps what was typed and says beside the field why an address was rejected', async () => {
    webhooks = [];
    serve((method) =>
      method === 'POST'
        ? Response.json(
            { error: 'Use a public one.', code: 'invalid_target', field: 'url', requestId: 'r' },
            { status: 400 },
          )
        : null,
    );
    show();
    await press('Add webhook');
    const dialog = await screen.findByRole('dialog', { hidden: true });
    fireEvent.change(within(dialog).getByLabelText('Address'), {
      target: { value: 'https://10.0.0.1/' },
    });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add webhook', hidden: true }));
    expect(await within(dialog).findByText('Use a public one.')).toBeTruthy();
    expect(within(dialog).getByLabelText('Address')).toHaveProperty('value', 'https://10.0.0.1/');
  });

  it('shows the log of a webhook with answers, and sends a delivery again', async () => {
    const sent = serve((method) =>
      method === 'POST' ? Response.json({ ...DELIVERY, status: 'delivered', error: null }) : null,
    );
    show('/settings/webhooks?log=w1');
    expect(await screen.findByText('Failed')).toBeTruthy();
    expect(screen.getByText('out of order')).toBeTruthy();
    expect(screen.getByText('The endpoint answered 500.')).toBeTruthy();
    expect(screen.getByText(/^10 attempts · answered 500 in 12 ms/)).toBeTruthy();
    expect(screen.getByText('{ "type": "link.created" }')).toBeTruthy();
    expect(screen.getByText('msg_1')).toBeTruthy();
    const open = screen.getByRole('button', { name: 'Hide deliveries' });
    expect(open.getAttribute('aria-expanded')).toBe('true');
    await press('Send again');
    await waitFor(() =>
      expect(sent).toMatchObject([{ path: '/api/webhooks/w1/deliveries/7/replay' }]),
    );
    const text = 'The endpoint accepted the event with 500 in 12 ms.';
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text, tone: 'good' }]));
    const reads = () =>
      ['/api/webhooks', '/api/webhooks/w1/deliveries'].map(
        (path) => gets.filter((one) => one === path).length,
      );
    await waitFor(() => expect(reads()).toEqual([2, 2]));
    await press('Send test event');
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ path: '/api/webhooks/w1/test' }));
    await waitFor(() => expect(reads()).toEqual([3, 3]));
    await press('Hide deliveries');
    await waitFor(() => expect(screen.queryByText('out of order')).toBeNull());
    expect(currentAddress()).toBe('/settings/webhooks');
    goBack();
    expect(currentAddress()).toBe('/before');
  });

  it('says why a webhook is disabled, and enables, rotates and deletes it', async () => {
    webhooks = [
      {
        ...WEBHOOK,
        disabled: { at: '2026-01-03T12:00:00Z', by: 'gone' },
        failingSince: '2026-01-02T12:00:00Z',
      },
    ];
    const sent = serve();
    show();
    expect(await screen.findByText(/Disabled: it answered 410/)).toBeTruthy();
    expect(screen.queryByText(/Failing/)).toBeNull();
    const choose = async (item: string): Promise<void> => {
      await press('Actions for Orders');
      fireEvent.click(await screen.findByRole('menuitem', { name: item }));
    };
    await choose('Enable');
    await waitFor(() =>
      expect(sent.at(-1)).toEqual({
        method: 'PATCH',
        path: '/api/webhooks/w1',
        body: { enabled: true },
      }),
    );
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Webhook enabled.' }]));
    await choose('Rotate secret');
    await press('Rotate secret');
    expect(await screen.findByText('whsec_abc')).toBeTruthy();
    expect(sent.at(-1)).toMatchObject({ path: '/api/webhooks/w1/rotate' });
    await press('Done');
    await press('Show deliveries');
    await screen.findByText('out of order');
    const reads = gets.filter((path) => path.endsWith('/deliveries')).length;
    await choose('Delete');
    await press('Delete webhook');
    await waitFor(() =>
      expect(sent.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/webhooks/w1' }),
    );
    // The page does not request the log of a deleted webhook.
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
    expect(gets.filter((path) => path.endsWith('/deliveries'))).toHaveLength(reads);
  });

  it('a plan whose webhooks are used up offers no further one and says why', async () => {
    const [at, until] = ['2026-01-03T12:00:00Z', '2099-01-05T12:00:00Z'];
    webhooks = [
      { ...WEBHOOK, tag: 'sale', failingSince: at, previousSecretUntil: until },
      { ...WEBHOOK, id: 'w2', description: '', disabled: { at: daysAgo(3), by: 'failing' } },
    ];
    notSent = 1;
    const disabled = { at, by: 'owner' };
    serve((method) => (method === 'GET' ? null : Response.json({ ...WEBHOOK, disabled })));
    show();
    expect(await screen.findByText(/^1 event of the last 7 days was not sent/)).toBeTruthy();
    const rows = [...document.querySelectorAll('li:has(h2)')].map(({ textContent }) => textContent);
    expect(rows).toEqual([
      expect.stringMatching(
        /^OrdersFailinghooks\.example\/in.*Only links tagged sale · Added Jan 2, 2026 · Failing since Jan 3, 2026.* · Also signed with the previous secret until Jan 5, 2099/,
      ),
      expect.stringMatching(
        /^hooks\.example\/inDisabledlink\.createdlink\.clickedAdded Jan 2, 2026 · Disabled: every request failed for 5 days 3 days ago/,
      ),
    ]);
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add webhook' });
    expect(add.disabled).toBe(true);
    expect(screen.getByText(/^You have as many webhooks as your plan includes/)).toBeTruthy();
    await press('Actions for Orders');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Disable' }));
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Webhook disabled.' }]));
  });

  it('an edit starts with what is stored, and sends the whole webhook', async () => {
    webhooks = [{ ...WEBHOOK, tag: 'deleted since' }];
    const sent = serve((_method, path) =>
      path === '/api/tags' ? Response.json({ tags: [] }) : null,
    );
    show();
    await press('Actions for Orders');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    expect(dialog.getByLabelText('Address')).toHaveProperty('value', WEBHOOK.url);
    expect(dialog.getByLabelText('Description (optional)')).toHaveProperty('value', 'Orders');
    expect(dialog.getByLabelText('Links')).toHaveProperty('value', 'deleted since');
    const chosen = dialog.getAllByRole<HTMLInputElement>('checkbox', { hidden: true });
    expect(chosen.filter(({ checked }) => checked)).toHaveLength(WEBHOOK.events.length);
    fireEvent.change(dialog.getByLabelText('Description (optional)'), { target: { value: '' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save changes', hidden: true }));
    const { url, events } = WEBHOOK;
    await waitFor(() =>
      expect(sent).toEqual([
        {
          method: 'PATCH',
          path: '/api/webhooks/w1',
          body: { url, description: '', events, tag: 'deleted since' },
        },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
  });

  it('a disabled webhook gets no test event, and a waiting delivery is not sent again', async () => {
    webhooks = [{ ...WEBHOOK, disabled: { at: daysAgo(3), by: 'owner' } }];
    const soon = { attempts: 0, nextAttemptAt: '2026-01-02T12:00:05Z' };
    const waiting: WebhookDelivery = { ...DELIVERY, ...soon, status: 'waiting' };
    // The server's clock may be ahead.
    const response = { status: 500, text: '', durationMs: 1 };
    const later = { id: 8, attempts: 3, nextAttemptAt: '2026-01-05T12:00:00Z', response };
    const ahead = { ...DELIVERY, ...later, createdAt: daysAgo(-1) };
    serve((method, path) => {
      if (method === 'POST') return new Promise(() => undefined);
      if (!path.endsWith('/deliveries')) return null;
      return gets.at(-1)?.includes('cursor') === true
        ? Response.json({ deliveries: [], nextCursor: null })
        : Response.json({ deliveries: [waiting, ahead], nextCursor: 'c1' });
    });
    show('/settings/webhooks?log=w1');
    expect(await screen.findByText(/ · You disabled it 3 days ago$/)).toBeTruthy();
    expect(await screen.findByText('Waiting')).toBeTruthy();
    // Before the first attempt nothing is tried again.
    expect(screen.getByText(/^0 attempts/).textContent).not.toContain('next');
    expect(screen.getByText(/^3 attempts/).textContent).toContain('next Jan 5, 2026');
    for (const name of ['Send test event', 'Send again'])
      expect(
        screen.getAllByRole<HTMLButtonElement>('button', { name, hidden: true })[0]?.disabled,
      ).toBe(true);
    expect(screen.getByText('just now')).toBeTruthy();
    expect(screen.getAllByText('Answer')).toHaveLength(1);
    expect(screen.getByText('2 deliveries')).toBeTruthy();
    await press('Load more');
    await waitFor(() => expect(gets.at(-1)).toBe('/api/webhooks/w1/deliveries?cursor=c1'));
    const again = screen.getAllByRole('button', { name: 'Send again', hidden: true });
    for (const button of again) fireEvent.click(button);
    const busy = () => again.map((button) => button.getAttribute('aria-busy'));
    await waitFor(() => expect(busy()).toEqual(['false', 'true']));
  });

  it('says that a log could not be loaded, and differs from one that is empty', async () => {
    let isDown = true;
    const deliveries: WebhookDelivery[] = [];
    serve((_method, path) =>
      path.endsWith('/deliveries')
        ? isDown
          ? Response.json({ error: 'x' }, { status: 503 })
          : Response.json({ deliveries, nextCursor: null })
        : null,
    );
    webhooks = [{ ...WEBHOOK, url: null, description: '' }];
    show('/settings/webhooks?log=w1');
    expect(await screen.findByText('We couldn’t load the deliveries.')).toBeTruthy();
    expect(screen.queryByText('Nothing delivered yet')).toBeNull();
    isDown = false;
    await press('Retry');
    expect(await screen.findByText('Nothing delivered yet')).toBeTruthy();
    expect(screen.queryByText('We couldn’t load the deliveries.')).toBeNull();
    // A webhook whose events a program reads needs no address.
    await press('Actions for No address: a program reads its events');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    const save = () =>
      fireEvent.click(dialog.getByRole('button', { name: 'Save changes', hidden: true }));
    for (const name of WEBHOOK.events) fireEvent.click(dialog.getByLabelText(name));
    save();
    expect(await dialog.findByText('Choose at least one.')).toBeTruthy();
    fireEvent.click(dialog.getByLabelText('link.deleted'));
    const sent = serve();
    save();
    const body = { description: '', events: ['link.deleted'], tag: null };
    await waitFor(() => expect(sent.map((request) => request.body)).toEqual([body]));
  });

  it('an action that fails says so and leaves the webhook as it was', async () => {
    const sent = serve((method) =>
      method === 'GET' ? null : Response.json({ error: 'Not now.' }, { status: 503 }),
    );
    show();
    await press('Actions for Orders');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Disable' }));
    const failed = { text: 'That did not work.', note: 'Not now.', tone: 'bad' };
    await waitFor(() => expect(takeToasts()).toMatchObject([failed]));
    expect(sent.at(-1)?.body).toEqual({ enabled: false });
    await press('Show deliveries');
    await press('Send again');
    const again = { text: 'We couldn’t send it again.', note: 'Not now.', tone: 'bad' };
    await waitFor(() => expect(takeToasts()).toMatchObject([again]));
    expect(screen.queryByText('Disabled')).toBeNull();
    await press('Send test event');
    await waitFor(() => expect(takeToasts()).toMatchObject([failed]));
    await press('Actions for Orders');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await press('Delete webhook');
    expect(await screen.findByText('Not now.')).toBeTruthy();
    expect(screen.getByRole('dialog', { hidden: true })).toBeTruthy();
    expect(takeToasts()).toEqual([]);
  });

  it.each([
    ['delivered', { status: 204, text: '', durationMs: 1234 }, 'good', ' with 204 in 1,234 ms'],
    ['failed', null, 'bad', null],
  ] as const)(
    'a test event that is %s is told, and shown in the log',
    async (status, response, tone, end) => {
      webhooks = [WEBHOOK, { ...WEBHOOK, id: 'w2' }];
      let respond = (): void => undefined;
      const answered = new Promise<void>((resolve) => (respond = resolve));
      serve((method) =>
        method === 'POST'
          ? answered.then(() => Response.json({ ...DELIVERY, status, response }))
          : null,
      );
      show();
      const tests = await screen.findAllByRole('button', { name: 'Send test event' });
      for (const button of tests.slice(0, 1)) fireEvent.click(button);
      const busy = () => tests.map((button) => button.getAttribute('aria-busy'));
      await waitFor(() => expect(busy()).toEqual(['true', 'false']));
      respond();
      const text =
        end === null
          ? 'The endpoint did not accept the event.'
          : `The endpoint accepted the event${end}.`;
      const note = end === null ? DELIVERY.error : '';
      await waitFor(() => expect(takeToasts()).toMatchObject([{ text, tone, note }]));
      expect(await screen.findByRole('region', { name: 'Deliveries' })).toBeTruthy();
    },
  );

  it('says that the webhooks could not be loaded, and tries again', async () => {
    let isDown = true;
    serve((method) =>
      method === 'GET' && isDown
        ? Response.json({ error: 'x', code: 'unavailable', requestId: 'r' }, { status: 503 })
        : null,
    );
    show();
    expect(await screen.findByText('We couldn’t load your webhooks.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull();
    isDown = false;
    await press('Retry');
    expect(await screen.findByText('Orders')).toBeTruthy();
  });
});
