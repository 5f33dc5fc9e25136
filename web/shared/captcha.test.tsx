import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MailButton } from './auth-mail-button.tsx';
import { config } from './config.ts';

/** The network's script as this browser would run it: it gives a token when told to. */
let solve: (token: string) => void = () => undefined;
let shown = 0;

beforeEach(() => {
  config.turnstileSiteKey = 'key';
  shown = 0;
  window.turnstile = {
    render: (_element, { callback }) => {
      shown += 1;
      solve = callback;
      return 'id';
    },
    remove: () => undefined,
  };
});
afterEach(() => {
  cleanup();
  config.turnstileSiteKey = '';
  delete window.turnstile;
  for (const script of document.querySelectorAll('script')) script.remove();
});

/** Whether the network's script arrives: this browser loads no files, and says of each what it is told to say. */
function scriptLoads(loads: boolean): void {
  const browser: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } = Reflect.get(window, 'happyDOM');
  browser.settings.handleDisabledFileLoadingAsSuccess = loads;
}
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });

test('where the captcha does not load the form is sent without a token; then a token serves one request', async () => {
  const onSend = vi.fn(async (_token: string): Promise<void> => {
    throw new Error('captcha_failed');
  });
  const show = () =>
    render(
      <MailButton onSend={onSend} onSent={() => undefined}>
        Send
      </MailButton>,
    );
  scriptLoads(false);
  show();
  expect(button().disabled).toBe(true);
  await waitFor(() => expect(button().disabled).toBe(false));
  fireEvent.click(button());
  await waitFor(() => expect(onSend).toHaveBeenLastCalledWith(''));
  await screen.findByRole('alert');
  // The second attempt to load the script has failed, too.
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  cleanup();

  scriptLoads(true);
  show();
  await waitFor(() => expect(shown).toBe(1));
  expect(button().disabled).toBe(true);
  act(() => solve('first'));
  fireEvent.click(button());
  await screen.findByRole('alert');
  expect(onSend).toHaveBeenLastCalledWith('first');
  await waitFor(() => expect(shown).toBe(2));
  expect(button().disabled).toBe(true);
  act(() => solve('second'));
  fireEvent.click(button());
  await waitFor(() => expect(onSend).toHaveBeenLastCalledWith('second'));
});

test('without a key there is no captcha, and no script', () => {
  config.turnstileSiteKey = '';
  render(
    <MailButton onSend={async () => undefined} onSent={() => undefined}>
      Send
    </MailButton>,
  );
  expect(button().disabled).toBe(false);
  expect(document.querySelector('script')).toBeNull();
});
