import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { SignUpForm } from './sign-up-form.tsx';

afterEach(cleanup);

test('the focus goes to the first wrong field at the submit, and stays where the person types after it', async () => {
  render(
    <MemoryRouter>
      <SignUpForm next="/dashboard" closed={false} />
    </MemoryRouter>,
  );
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  const password = screen.getByLabelText<HTMLInputElement>('Password', { selector: 'input' });
  fireEvent.change(email, { target: { value: 'nobody' } });
  fireEvent.change(password, { target: { value: 'short' } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));
  await waitFor(() => expect(document.activeElement).toBe(email));
  expect(screen.getAllByRole('alert')).toHaveLength(2);

  password.focus();
  fireEvent.change(password, { target: { value: 'longer than that' } });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(password);
  expect(screen.getAllByRole('alert')).toHaveLength(1);

  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));
  await waitFor(() => expect(document.activeElement).toBe(email));
});
