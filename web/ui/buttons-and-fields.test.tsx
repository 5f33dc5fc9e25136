import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState, type ComponentProps } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { Checkbox, CheckboxGroup } from './checkbox.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorLine } from './error-line.tsx';
import { ExternalLink } from './external-link.tsx';
import { FailedState } from './failed-state.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useHint } from './use-hint.tsx';
import { LoadMore } from './load-more.tsx';
import { Meter } from './meter.tsx';
import { OFFLINE } from './offline.ts';
import { PasswordField } from './password-field.tsx';
import { QueryContent } from './query-content.tsx';
import { RadioOption } from './radio-option.tsx';
import { Loading, showSkeletonsAtOnce } from './skeleton.tsx';
import { Stats } from './stats.tsx';
import { Table } from './table.tsx';
import { TruncateMiddle } from './truncate-middle.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
/** Returns the text that describes a control to a screen reader. */
const description = (label: string) =>
  document.getElementById(screen.getByLabelText(label).getAttribute('aria-describedby') ?? '')
    ?.textContent;

describe('Button', () => {
  it('a button that is pending does nothing, and submits no form', () => {
    const onSubmit = vi.fn((event: React.FormEvent) => event.preventDefault());
    const onClick = vi.fn();
    const form = (pending: boolean) => (
      <form onSubmit={onSubmit}>
        <Button pending={pending} onClick={onClick}>
          Copy
        </Button>
        <Button type="submit" pending={pending}>
          Save
        </Button>
      </form>
    );
    const { rerender } = render(form(true));
    fireEvent.click(button('Copy'));
    fireEvent.click(button('Save'));
    // A disabled button would lose the focus.
    expect(button('Save').disabled).toBe(false);
    expect([onClick.mock.calls.length, onSubmit.mock.calls.length]).toEqual([0, 0]);
    expect(button('Save').getAttribute('aria-busy')).toBe('true');
    rerender(form(false));
    fireEvent.click(button('Copy'));
    expect([onClick.mock.calls.length, onSubmit.mock.calls.length]).toEqual([1, 0]);
    fireEvent.click(button('Save'));
    expect(onSubmit).toHaveBeenCalledOnce();
  });
});

describe('controls', () => {
  it('a checkbox and a radio button are described by their hints', () => {
    render(
      <>
        <Checkbox label="Weekly" hint="On Mondays." />
        <RadioOption name="r" label="Skip" hint="No link." checked onSelect={() => undefined} />
      </>,
    );
    expect([description('Weekly'), description('Skip')]).toEqual(['On Mondays.', 'No link.']);
  });

  it('an error of a checkbox is announced and describes it, before its hint', () => {
    render(<Checkbox label="Weekly" hint="On Mondays." error="Not now." />);
    const box = screen.getByRole('checkbox', { description: 'Not now. On Mondays.' });
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('Not now.');
  });

  it('a group of checkboxes adds and removes single values, and marks all for an error', () => {
    const choices = ['a', 'b', 'c'].map((value) => ({ value, label: value, hint: '' }));
    const onChange = vi.fn<(values: string[]) => void>();
    render(
      <CheckboxGroup
        legend="Scopes"
        choices={choices}
        chosen={['a', 'b']}
        error="Choose one."
        onChange={onChange}
      />,
    );
    fireEvent.click(screen.getByLabelText('b'));
    fireEvent.click(screen.getByLabelText('c'));
    expect(onChange.mock.calls).toEqual([[['a']], [['a', 'b', 'c']]]);
    expect(screen.getAllByRole('checkbox', { description: '' })).toHaveLength(3);
    expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(3);
  });

  it('a password is hidden until its button is pressed, which submits nothing', () => {
    const onSubmit = vi.fn((event: React.FormEvent) => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        <PasswordField label="Password" value="x" onText={() => undefined} />
      </form>,
    );
    const state = () => [
      screen.getByLabelText<HTMLInputElement>('Password').type,
      button('Show password').getAttribute('aria-pressed'),
    ];
    expect(state()).toEqual(['password', 'false']);
    fireEvent.click(button('Show password'));
    expect(state()).toEqual(['text', 'true']);
    fireEvent.click(button('Show password'));
    expect(state()).toEqual(['password', 'false']);
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('a link to another site opens in a new tab, which cannot reach this one', () => {
    render(<ExternalLink href="https://example.com/">Elsewhere</ExternalLink>);
    const { target, rel } = screen.getByRole<HTMLAnchorElement>('link', { name: 'Elsewhere' });
    expect([target, rel]).toEqual(['_blank', 'noopener noreferrer']);
  });

  it('long texts are cut before their last twelve characters', () => {
    render(<TruncateMiddle text="https://example.com/a-long-address" />);
    expect(screen.getByText('long-address')).toBeTruthy();
  });

  it('a usage bar is at most full', () => {
    const { container, rerender } = render(<Meter used={30} limit={25} />);
    const width = () => container.querySelector<HTMLElement>('[style]')?.style.transform;
    expect(width()).toBe('scaleX(1)');
    rerender(<Meter used={5} limit={25} />);
    expect(width()).toBe('scaleX(0.2)');
  });
});

describe('what a request leaves on the screen', () => {
  const query = { refetch: vi.fn(), isFetching: true };

  it.each([
    ['ErrorLine', <ErrorLine key="1" message="Down." query={query} />],
    ['FailedState', <FailedState key="2" title="Down." query={query} />],
  ])('Retry of %s is pending while the request runs', (_, element) => {
    render(element);
    expect(button('Retry').getAttribute('aria-disabled')).toBe('true');
  });

  it('the failure of a list says what to do, unless it has own words', () => {
    render(<FailedState title="Down." query={query} />);
    expect(screen.getByText('Check your connection and try again.')).toBeTruthy();
  });

  it('an explanation shows while its button is pressed, and Escape closes it', () => {
    const Hint = () => <form>{useHint('bots', 'Bots do not count.')}</form>;
    render(<Hint />);
    const about = button('About bots');
    const state = () => [
      about.getAttribute('aria-expanded'),
      document.getElementById(about.getAttribute('aria-controls') ?? '')?.textContent,
    ];
    expect(state()).toEqual(['false', undefined]);
    fireEvent.click(about);
    expect(state()).toEqual(['true', 'Bots do not count.']);
    fireEvent.keyDown(about, { key: 'Escape' });
    expect(state()).toEqual(['false', undefined]);
    expect(screen.queryByText('Bots do not count.')).toBeNull();
  });

  it('Load more is pending while the next page loads', () => {
    const next = { isFetchingNextPage: true, fetchNextPage: () => undefined };
    render(<LoadMore shown="1 of 2" next={next} />);
    expect(button('Load more').getAttribute('aria-disabled')).toBe('true');
  });

  it.each([
    ['nothing yet', undefined, false, ['Loading…']],
    ['a failure', undefined, true, ['It failed.']],
    ['data', 'data', false, ['data']],
    ['data that cannot be reloaded', 'data', true, ['data', 'It failed.']],
  ])('a query with %s shows that only', (_, data, isError, texts) => {
    render(
      <QueryContent
        query={{ data, isError, refetch: () => undefined }}
        failure="It failed."
        loading="Loading…"
        skeleton={null}
      >
        {(text) => <p>{text}</p>}
      </QueryContent>,
    );
    const shown = ['data', 'It failed.', 'Loading…'].filter((text) => screen.queryByText(text));
    expect(shown).toEqual(texts);
  });

  it('skeletons appear after 150 ms, or at once in place of those in the HTML', () => {
    vi.useFakeTimers();
    const isShown = () =>
      screen.getByText('Loading…').parentElement?.className.includes('opacity-100');
    const { unmount } = render(<Loading>{null}</Loading>);
    act(() => void vi.advanceTimersByTime(149));
    expect(isShown()).toBe(false);
    act(() => void vi.advanceTimersByTime(1));
    expect(isShown()).toBe(true);
    unmount();
    render(<Loading>{null}</Loading>).unmount();
    expect(vi.getTimerCount()).toBe(0);
    showSkeletonsAtOnce(true);
    render(<Loading>{null}</Loading>);
    expect(isShown()).toBe(true);
    showSkeletonsAtOnce(false);
  });

  it('figures are busy until the last one has loaded', () => {
    const { container, rerender } = render(
      <Stats
        items={[
          { label: 'a', value: '1' },
          { label: 'b', value: null },
        ]}
      />,
    );
    const isBusy = () => container.querySelector('dl')?.getAttribute('aria-busy');
    expect(isBusy()).toBe('true');
    rerender(<Stats items={[{ label: 'a', value: '1', change: 'Up from 0' }]} />);
    expect(isBusy()).toBe('false');
    expect(screen.getByText('Up from 0')).toBeTruthy();
  });

  it('every cell of a table has its header on a phone, but for the first', () => {
    render(
      <Table
        caption="Rows"
        columns={[
          { header: 'Name', lead: true, cell: (row: string) => row },
          { header: 'Size', cell: () => '1 KB' },
        ]}
        rows={['a']}
        keyOf={(row) => row}
      />,
    );
    expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      'a',
      'Size1 KB',
    ]);
  });
});

describe('dialogs', () => {
  const confirm = (props: Partial<ComponentProps<typeof ConfirmDialog>>) => (
    <ConfirmDialog
      open
      title="Delete?"
      action="Delete link"
      onConfirm={() => undefined}
      onClose={() => undefined}
      {...props}
    >
      text
    </ConfirmDialog>
  );

  it('a confirmation is dangerous unless told otherwise, and shows its error', async () => {
    const { rerender } = render(confirm({ error: 'Down.' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Down.');
    expect(button('Delete link').className).toContain('bg-bad');
    rerender(confirm({ tone: 'primary', pending: true }));
    expect(button('Delete link').className).not.toContain('bg-bad');
    expect(button('Delete link').getAttribute('aria-disabled')).toBe('true');
  });

  it('a confirmation runs again when the network is back, but not once it is closed', () => {
    const onConfirm = vi.fn();
    const { rerender } = render(confirm({ error: OFFLINE, onConfirm, open: false }));
    fireEvent(window, new Event('online'));
    expect(onConfirm).not.toHaveBeenCalled();
    rerender(confirm({ error: OFFLINE, onConfirm }));
    fireEvent(window, new Event('online'));
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('Cancel closes a form without sending it', async () => {
    const onSubmit = vi.fn();
    const onClose = vi.fn();
    render(
      <FormDialog
        title="Edit"
        action="Save"
        pending={false}
        errors={{ error: null, rest: 'Down.' }}
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <input aria-label="Name" />
      </FormDialog>,
    );
    expect((await screen.findByRole('alert')).textContent).toBe('Down.');
    fireEvent.click(button('Cancel'));
    expect([onClose.mock.calls.length, onSubmit.mock.calls.length]).toEqual([1, 0]);
  });

  it('the text of the first field is selected, and the last button closes', async () => {
    function Page() {
      const [open, setOpen] = useState(true);
      return (
        <Dialog open={open} onClose={() => setOpen(false)} title="Rename" closeLabel="Done">
          <input aria-label="Code" defaultValue="abc" />
        </Dialog>
      );
    }
    render(<Page />);
    const field = await screen.findByLabelText<HTMLInputElement>('Code');
    await waitFor(() => expect(document.activeElement).toBe(field));
    // Backward, so that the beginning of a long address is in view.
    const { selectionStart, selectionEnd, selectionDirection } = field;
    expect([selectionStart, selectionEnd, selectionDirection]).toEqual([0, 3, 'backward']);
    fireEvent.click(button('Done'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
