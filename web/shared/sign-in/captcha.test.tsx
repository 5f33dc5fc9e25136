import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MailButton } from './auth-mail-button.tsx';
import { config } from '#web/shared/page/config.ts';

/** Solves the captcha with a token, as Turnstile's script would. */
let solve: (token: string) => void = () => undefined;
let widgets = 0;
let removals = 0;

beforeEach(() => {
  config.turnstileSiteKey = 'key';
  widgets = 0;
  removals = 0;
  window.turnstile = {
    render: (_element, { callback }) => {
      widgets += 1;
      solve = callback;
      return 'id';
    },
    remove: () => {
      removals += 1;
    },
  };
});
afterEach(() => {
  cleanup();
  config.turnstileSiteKey = '';
  delete window.turnstile;
  for (const script of document.querySelectorAll('script')) script.remove();
});

/** Makes scripts load or fail, because happy-dom loads no files. */
function scriptsLoad(loads: boolean): void {
  const browser: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } = Reflect.get(
    window,
    'happyDOM',
  );
  browser.settings.handleDisabledFileLoadingAsSuccess = loads;
}
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
const show = (onSend: (token: string) => Promise<void>) =>
  render(
    <MailButton onSend={onSend} onSent={() => undefined}>
      Send
    </MailButton>,
  );

describe('captcha', () => {
  // A loaded script stays loaded, so one test covers the failure first.
  it('a captcha that cannot load allows a request; a loaded one needs a token for each', async () => {
    const onSend = vi.fn(async (_token: string): Promise<void> => {
      throw new Error('captcha_failed');
    });
    scriptsLoad(false);
    show(onSend);
    expect(button().disabled).toBe(true);
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    await waitFor(() => expect(onSend).toHaveBeenLastCalledWith(''));
    await screen.findByRole('alert');
    // The script is requested again after the failure, so the test waits until that attempt has
    // failed too.
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    cleanup();

    scriptsLoad(true);
    show(onSend);
    await waitFor(() => expect(widgets).toBe(1));
    expect(button().disabled).toBe(true);
    act(() => solve('first'));
    fireEvent.click(button());
    await screen.findByRole('alert');
    expect(onSend).toHaveBeenLastCalledWith('first');
    await waitFor(() => expect(widgets).toBe(2));
    expect(button().disabled).toBe(true);
    act(() => solve('second'));
    fireEvent.click(button());
    await waitFor(() => expect(onSend).toHaveBeenLastCalledWith('second'));
  });

  it('the captcha is removed with its form, and renewed after a success', async () => {
    scriptsLoad(true);
    show(async () => undefined);
    await waitFor(() => expect(widgets).toBe(1));
    act(() => solve('first'));
    fireEvent.click(button());
    await waitFor(() => expect(widgets).toBe(2));
    expect(button().disabled).toBe(true);
    cleanup();
    expect(removals).toBe(2);
  });

  it('the captcha and its script are absent without a site key', () => {
    config.turnstileSiteKey = '';
    show(async () => undefined);
    expect(button().disabled).toBe(false);
    expect(document.querySelector('script')).toBeNull();
  });
});
