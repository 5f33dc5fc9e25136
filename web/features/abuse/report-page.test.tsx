import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { ReportPage } from './report-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send report' });
const code = () => screen.getByLabelText<HTMLInputElement>('Short URL');

it('a report has the short URL as it is, no preselected reason, and trimmed details', async () => {
  const calls = serveRoutes({ 'POST /api/reports': { received: true } });
  showPage(<ReportPage />, '/report?code=sale');
  expect(code().value).toBe('sale');
  expect(screen.getAllByRole<HTMLInputElement>('radio').filter(({ checked }) => checked)).toEqual(
    [],
  );
  fireEvent.click(sendButton());
  expect(screen.getByRole('alert').textContent).toBe('Choose a reason.');
  fireEvent.click(screen.getByLabelText('Malware'));
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByLabelText('Spam'));
  fireEvent.change(screen.getByLabelText('Details (optional)'), { target: { value: ' Mail. ' } });
  fireEvent.change(code(), { target: { value: ' https://go.acme.example/promo+ ' } });
  fireEvent.click(sendButton());
  expect(await screen.findByText('Thank you. We received your report.')).toBeTruthy();
  expect(calls).toEqual([
    {
      call: 'POST /api/reports',
      body: { code: 'https://go.acme.example/promo+', reason: 'spam', details: 'Mail.' },
    },
  ]);
  expect(screen.queryByRole('button', { name: 'Send report' })).toBeNull();
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
