import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookDelivery, Webhook, WebhooksResponse } from '#contract/webhooks/webhooks.ts';
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
type Sent = { method: string; path: string; body: unknown };

/** Serves the part of the API that the page uses. Returns the write requests. */
function serve(overrides: (method: string, path: string) => Response | null = () => null): Sent[] {
  const sent: Sent[] = [];
  const mock = vi.fn<typeof fetch>((input, init) => {
    const path = new URL(input instanceof Request ? input.url : input, 'http://localhost').pathname;
    const method = init?.method ?? 'GET';
    if (method === 'GET') gets.push(path);
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

function show(path = '/settings/webhooks'): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <WebhooksPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
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
        /^1,234 events of the last 7 days were not sent, because your plan includes/,
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
    await press('Send again');
    await waitFor(() =>
      expect(sent).toMatchObject([{ path: '/api/webhooks/w1/deliveries/7/replay' }]),
    );
    await press('Hide deliveries');
    await waitFor(() => expect(screen.queryByText('out of order')).toBeNull());
    await press('Send test event');
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ path: '/api/webhooks/w1/test' }));
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
    await choose('Rotate secret');
    await press('Rotate secret');
    expect(await screen.findByText('whsec_abc')).toBeTruthy();
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
    webhooks = [WEBHOOK, { ...WEBHOOK, id: 'w2' }];
    serve();
    show();
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add webhook' });
    expect(add.disabled).toBe(true);
    expect(screen.getByText(/^You have as many webhooks as your plan includes/)).toBeTruthy();
  });

  it('an edit starts with what is stored, and sends the whole webhook', async () => {
    webhooks = [{ ...WEBHOOK, tag: 'deleted since' }];
    const sent = serve();
    show();
    await press('Actions for Orders');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    expect(dialog.getByLabelText('Address')).toHaveProperty('value', WEBHOOK.url);
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
    webhooks = [{ ...WEBHOOK, disabled: { at: '2026-01-03T12:00:00Z', by: 'owner' } }];
    const soon = { attempts: 0, nextAttemptAt: '2026-01-02T12:00:05Z' };
    const waiting: WebhookDelivery = { ...DELIVERY, ...soon, status: 'waiting' };
    const later = { id: 8, attempts: 3, nextAttemptAt: '2026-01-05T12:00:00Z' };
    serve((_method, path) =>
      path.endsWith('/deliveries')
        ? Response.json({ deliveries: [waiting, { ...DELIVERY, ...later }], nextCursor: null })
        : null,
    );
    show('/settings/webhooks?log=w1');
    expect(await screen.findByText('Waiting')).toBeTruthy();
    // Before the first attempt nothing is tried again.
    expect(screen.getByText(/^0 attempts/).textContent).not.toContain('next');
    expect(screen.getByText(/^3 attempts/).textContent).toContain('next Jan 5, 2026');
    for (const name of ['Send test event', 'Send again'])
      expect(
        screen.getAllByRole<HTMLButtonElement>('button', { name, hidden: true })[0]?.disabled,
      ).toBe(true);
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
      serve((method) =>
        method === 'POST' ? Response.json({ ...DELIVERY, status, response }) : null,
      );
      show();
      await press('Send test event');
      const text =
        end === null
          ? 'The endpoint did not accept the event.'
          : `The endpoint accepted the event${end}.`;
      await waitFor(() => expect(takeToasts()).toMatchObject([{ text, tone }]));
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
