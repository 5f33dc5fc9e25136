import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { SignUpForm } from './sign-up-form.tsx';

afterEach(cleanup);

function show() {
  render(
    <MemoryRouter>
      <SignUpForm next="/dashboard" />
    </MemoryRouter>,
  );
}

describe('SignUpForm', () => {
  it('focuses the first invalid field on submit, and stays put while the user types', async () => {
    show();
    const email = screen.getByLabelText<HTMLInputElement>('Email');
    const password = screen.getByLabelText<HTMLInputElement>('Password', { selector: 'input' });
    fireEvent.change(email, { target: { value: 'nobody' } });
    fireEvent.change(password, { target: { value: 'short' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));
    await waitFor(() => expect(document.activeElement).toBe(email));
    expect(screen.getAllByRole('alert')).toHaveLength(2);

    password.focus();
    fireEvent.change(password, { target: { value: 'longer than that' } });
    // A timer that moves the focus would run within this time.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(document.activeElement).toBe(password);
    expect(screen.getAllByRole('alert')).toHaveLength(1);

    fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));
    await waitFor(() => expect(document.activeElement).toBe(email));
  });

  it('waits for the captcha, and sends its token', async () => {
    config.turnstileSiteKey = 'key';
    let solve: (token: string) => void = () => undefined;
    const renderCaptcha = (_: HTMLElement, { callback }: { callback: typeof solve }): string => {
      solve = callback;
      return 'id';
    };
    vi.stubGlobal('turnstile', { render: renderCaptcha, remove: () => undefined });
    const append = vi.spyOn(document.head, 'append').mockImplementation((script) => {
      if (script instanceof Element) script.dispatchEvent(new Event('load'));
    });
    const calls = serveRoutes({});
    show();
    const fields = { Email: 'ann@example.com', Password: 'a password' };
    for (const [label, value] of Object.entries(fields))
      fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign Up' });
    expect(button.disabled).toBe(true);
    await waitFor(() => {
      act(() => solve('token'));
      expect(button.disabled).toBe(false);
    });
    fireEvent.click(button);
    await waitFor(() =>
      expect(calls[0]?.body).toMatchObject({ gotrue_meta_security: { captcha_token: 'token' } }),
    );
    append.mockRestore();
    vi.unstubAllGlobals();
    config.turnstileSiteKey = '';
  });
});
