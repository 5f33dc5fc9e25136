import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { ReportPage } from './report-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send report' });
/** False if the browser asks before the tab closes. */
const mayLeave = (): boolean =>
  globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const code = () => screen.getByLabelText<HTMLInputElement>('Short URL');

it('a report has the short URL as it is, no preselected reason, and trimmed details', async () => {
  const calls = serveRoutes({ 'POST /api/reports': { received: true } });
  showPage(<ReportPage />, '/report?code=sale');
  expect(code().value).toBe('sale');
  expect(screen.getByRole('heading', { name: 'Report a link' })).toBeTruthy();
  const options = [...document.querySelectorAll('fieldset > div > *')];
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'PhishingThe site imitates another one, or asks for passwords or money.',
    'MalwareThe site offers harmful downloads or attacks the browser.',
    'SpamThe link was sent in unsolicited messages.',
    'Illegal contentThe site shows or sells something illegal.',
    'Something elseDescribe the problem below.',
  ]);
  expect(
    screen.getByRole('radio', { description: 'Describe the problem below.' }).closest('div')
      ?.textContent,
  ).toMatch(/^Something else/);
  const hint = `The whole link or its code: ${location.host}/code`;
  expect(screen.getByText(hint).id).toBe(code().getAttribute('aria-describedby'));
  expect(
    screen.getByText(/^Where you found the link and what it does\. Don’t include personal data\.$/),
  ).toBeTruthy();
  const details = screen.getByLabelText<HTMLTextAreaElement>('Details (optional)');
  expect(details.maxLength).toBe(2000);
  expect(screen.getAllByRole<HTMLInputElement>('radio').filter(({ checked }) => checked)).toEqual(
    [],
  );
  fireEvent.click(sendButton());
  expect(screen.getByRole('alert').textContent).toBe('Choose a reason.');
  fireEvent.click(screen.getByLabelText('Malware'));
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByLabelText('Spam'));
  expect(mayLeave()).toBe(true);
  fireEvent.change(details, { target: { value: ' Mail. ' } });
  expect(mayLeave()).toBe(false);
  fireEvent.change(code(), { target: { value: ' https://go.acme.example/promo+ ' } });
  fireEvent.click(sendButton());
  expect(await screen.findByText('Thank you. We received your report.')).toBeTruthy();
  expect(calls).toEqual([
    {
      call: 'POST /api/reports',
      body: { code: 'https://go.acme.example/promo+', reason: 'spam', details: 'Mail.' },
    },
  ]);
  expect(
    screen.getByText('If the link violates our terms, we disable it and its page says why.'),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send report' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
  expect(mayLeave()).toBe(true);
});

it.each([
  ['field', { field: 'details' }, 'Too long.'],
  ['form', {}, 'The report was not sent. Too long.'],
])('a rejected report keeps what was typed, with the error at its %s', async (_, more, text) => {
  serveRoutes({ 'POST /api/reports': failure(400, 'Too long.', more) });
  showPage(<ReportPage />, '/report?code=sale');
  fireEvent.click(screen.getByLabelText('Phishing'));
  fireEvent.change(screen.getByLabelText('Details (optional)'), { target: { value: 'Long' } });
  await press('Send report');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text));
  expect(screen.getByLabelText<HTMLInputElement>('Phishing').checked).toBe(true);
  expect(screen.getByDisplayValue('Long')).toBeTruthy();
  expect(sendButton().disabled).toBe(false);
  serveRoutes({ 'POST /api/reports': failure(400, 'Not here.', { field: 'code' }) });
  await press('Send report');
  await waitFor(() => expect(code().getAttribute('aria-invalid')).toBe('true'));
  await pressUnanswered('Send report');
});

it('a report has the token of the captcha, and another one after a failure', async () => {
  config.turnstileSiteKey = 'key';
  onTestFinished(() => void (config.turnstileSiteKey = ''));
  let solve: (token: string) => void = () => undefined;
  const removed = vi.fn<(id: string) => void>();
  vi.stubGlobal('turnstile', {
    render: (_: HTMLElement, options: { callback: (token: string) => void }) => {
      solve = options.callback;
      return 'id';
    },
    remove: removed,
  });
  const append = vi.spyOn(document.head, 'append').mockImplementation((script) => {
    if (script instanceof Element) script.dispatchEvent(new Event('load'));
  });
  const calls = serveRoutes({ 'POST /api/reports': failure(503, 'Not now.') });
  showPage(<ReportPage />, '/report?code=sale');
  fireEvent.click(screen.getByLabelText('Spam'));
  expect(sendButton().disabled).toBe(true);
  await waitFor(() => {
    act(() => solve('token'));
    expect(sendButton().disabled).toBe(false);
  });
  fireEvent.click(sendButton());
  expect(await screen.findByText('The report was not sent. Not now.')).toBeTruthy();
  expect(calls.map(({ body }) => body)).toMatchObject([{ turnstileToken: 'token' }]);
  expect([sendButton().disabled, removed.mock.calls.length]).toEqual([true, 1]);
  append.mockRestore();
});

it('a report without a code cannot be sent', () => {
  const calls = serveRoutes({});
  showPage(<ReportPage />, '/report');
  fireEvent.click(screen.getByLabelText('Spam'));
  for (const value of ['', '  ', 'https://hop.example/']) {
    fireEvent.change(code(), { target: { value } });
    fireEvent.click(sendButton());
    expect(screen.getByRole('alert').textContent).toBe('Enter the short URL.');
  }
  expect(calls).toEqual([]);
});
