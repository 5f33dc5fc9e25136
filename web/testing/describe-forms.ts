import { QueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { listControls } from './list-controls.ts';
import { failure, serveRoutes, type Call } from './serve-routes.ts';
import { signInAsMember } from './session.ts';

type FormCase = {
  /** The request of the form, such as `POST /api/domains`. */
  route: string;
  /** Opens the form and fills it in. */
  open: () => Promise<void> | void;
  send: () => Promise<void> | void;
  /** What `listControls` lists once the form is open. */
  controls?: readonly string[];
  /**
   * The label of the field that shows an error about each member of the body; undefined if the error
   * is apart from its control.
   */
  fields?: Readonly<Record<string, string | RegExp | undefined>>;
  /** What the server answers to other requests. */
  answers?: Parameters<typeof serveRoutes>[0];
  /** What the server answers once it accepts the form. */
  accepted?: object;
  /** The messages that follow. */
  says?: readonly string[];
  /** The first part of the keys of the queries that load again, in the order of the alphabet. */
  reloads?: readonly string[];
  /** True for a control that does not show that it waits: sending twice does no harm. */
  isQuiet?: boolean;
  /** True for a form that stays on the page, or is replaced there by what it made. */
  stays?: boolean;
};

/** Called by a form that is done, to close it. */
export const onDone = vi.fn<() => void>();

export const typeInto = async (label: string | RegExp, value: string): Promise<void> =>
  void fireEvent.change(await screen.findByLabelText(label), { target: { value } });

/**
 * Sends a form whose request the server rejects because of each member of its body, and of none.
 * Expects the message once: at the member's field, which gets the focus, or below the fields. Then
 * the server accepts the form: its messages and the queries that load again are those of the case.
 */
async function expectForm(form: FormCase): Promise<void> {
  const { route, open, send, fields = {}, says = [], reloads = [], isQuiet = false } = form;
  let field: string | null = '';
  let isBusy = isQuiet;
  const answer = async (): Promise<Response> => {
    // By then, the form has set the focus for what it knows itself, and waits.
    await new Promise((resolve) => setTimeout(resolve));
    isBusy = isQuiet || document.querySelector('button[aria-busy="true"]') !== null;
    if (field === null) return Response.json(form.accepted ?? {});
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return failure(400, `Wrong: ${field}.`, field === '' ? {} : { field })();
  };
  const calls: Call[] = serveRoutes({ ...form.answers, [route]: answer });
  await open();
  expect(listControls()).toEqual(form.controls ?? []);
  for (field of new Set([...Object.keys(fields), ''])) {
    const sent = calls.length;
    await send();
    await waitFor(() => expect(calls.length).toBeGreaterThan(sent));
    const message = await screen.findByText(new RegExp(`Wrong: ${field}\\.$`));
    // Otherwise a second press sends the form twice.
    expect(isBusy).toBe(true);
    const invalid = [...document.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
    const name = fields[field];
    if (name === undefined) {
      expect(message.closest('[role="alert"]')).not.toBeNull();
      expect(invalid).toEqual([]);
      continue;
    }
    const [control] = invalid;
    expect(control).toBe(screen.getByLabelText(name));
    // A group of checkboxes shows the message below them.
    const { id = '' } = message.closest('[role="alert"]') ?? {};
    expect(control?.getAttribute('aria-describedby') ?? '').toContain(id);
    await waitFor(() => expect(document.activeElement).toBe(control));
  }
  field = null;
  takeToasts();
  const reload = vi.spyOn(QueryClient.prototype, 'invalidateQueries');
  const sent = calls.length;
  await send();
  await waitFor(() => expect(calls.length).toBeGreaterThan(sent));
  const said: string[] = [];
  await waitFor(() => {
    said.push(...takeToasts().map(({ text }) => text));
    expect(said).toEqual(says);
    const reloaded = reload.mock.calls.map(([filters]) => String(filters?.queryKey?.[0]));
    expect(reloaded.toSorted()).toEqual(reloads);
  });
  reload.mockRestore();
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(form.stays === true ? 0 : 1));
}

/** A test for each form, with a signed-in member. */
export function describeForms(forms: Readonly<Record<string, FormCase>>): void {
  beforeEach(() => {
    onDone.mockClear();
    signInAsMember();
  });
  afterEach(() => {
    cleanup();
    config.domains = false;
    localStorage.clear();
    vi.unstubAllGlobals();
  });
  it.each(Object.entries(forms))('%s: shows what is rejected, then what is done', (_, form) =>
    expectForm(form),
  );
}
