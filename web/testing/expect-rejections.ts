import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { failure, serveRoutes, type Call } from './serve-routes.ts';

export type RejectedForm = {
  /** The request of the form, such as `POST /api/domains`. */
  route: string;
  /** Opens the form and fills it in. */
  open: () => Promise<void> | void;
  send: () => Promise<void> | void;
  /** The label of the field that shows an error about each member of the body. */
  fields?: Readonly<Record<string, string | RegExp>>;
  /** The server's answers to other requests. */
  answers?: Parameters<typeof serveRoutes>[0];
};

/**
 * Sends a form whose request the server rejects, once for each member of its body and once as a
 * whole. Expects the message once: at the member's field, which gets the focus, or below the
 * fields.
 */
export async function expectRejections({ route, open, send, fields = {}, answers }: RejectedForm) {
  let field = '';
  const reject = async () => {
    // The form focuses the errors that it finds itself before this.
    await new Promise((resolve) => setTimeout(resolve));
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return failure(400, `Wrong: ${field}.`, field === '' ? {} : { field })();
  };
  const calls: Call[] = serveRoutes({ ...answers, [route]: reject });
  await open();
  for (field of new Set([...Object.keys(fields), ''])) {
    const sent = calls.length;
    await send();
    await waitFor(() => expect(calls.length).toBeGreaterThan(sent));
    const message = await screen.findByText(new RegExp(`Wrong: ${field}\\.$`));
    const invalid = [...document.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
    const label = fields[field];
    if (label === undefined) {
      expect(message.closest('[role="alert"]')).not.toBeNull();
      expect(invalid).toEqual([]);
      continue;
    }
    const [control] = invalid;
    expect(control).toBe(screen.getByLabelText(label));
    // A group of checkboxes shows the message below them.
    const { id = '' } = message.closest('[role="alert"]') ?? {};
    expect(control?.getAttribute('aria-describedby') ?? '').toContain(id);
    await waitFor(() => expect(document.activeElement).toBe(control));
  }
}
