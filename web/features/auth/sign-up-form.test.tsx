import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it } from 'vitest';
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
});
