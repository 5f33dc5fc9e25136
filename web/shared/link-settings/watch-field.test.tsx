import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ARCHIVED_COPY, WATCH_MODES, type WatchMode } from '#contract/links/watch.ts';
import { describeSetting } from './describe-setting.ts';
import { WatchFallbackField, WatchField } from './watch-field.tsx';

afterEach(cleanup);

const describedBy = (field: HTMLElement): string =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');

describe('WatchField', () => {
  it('the menu has every mode, each with what it does', () => {
    const seen: string[] = [];
    function Form() {
      const [mode, setMode] = useState<WatchMode>('off');
      return <WatchField mode={mode} error={undefined} onMode={setMode} />;
    }
    render(<Form />);
    const field = screen.getByLabelText<HTMLSelectElement>('Destination checks');
    expect([...field.options].map(({ value }) => value)).toEqual(WATCH_MODES);
    expect([...field.options].map(({ text }) => text)).toEqual([
      'Off',
      'On',
      'On, without exceptions',
    ]);
    for (const mode of WATCH_MODES) {
      fireEvent.change(field, { target: { value: mode } });
      expect(field.value).toBe(mode);
      seen.push(describedBy(field));
    }
    expect(seen).toEqual([
      expect.stringMatching(/^We can check whether the destination still works/),
      expect.stringMatching(
        /^Daily while people click .* an email if three checks over 24 hours fail/,
      ),
      expect.stringMatching(
        /^Also for one-time addresses and links with a password\. Opening such/,
      ),
    ]);
  });

  it('shows a mode that it does not know as off', () => {
    render(<WatchField mode="hourly" error={undefined} onMode={() => undefined} />);
    expect(screen.getByLabelText<HTMLSelectElement>('Destination checks').value).toBe('off');
  });
});

describe('WatchFallbackField', () => {
  function show(first: string, error?: string) {
    const state = { to: first };
    function Form() {
      const [to, setTo] = useState(first);
      const set = (changed: string): void => {
        state.to = changed;
        setTo(changed);
      };
      return <WatchFallbackField to={to} error={error} onFallback={set} />;
    }
    render(<Form />);
    return state;
  }
  const choice = () =>
    screen.getByLabelText<HTMLSelectElement>('While the destination is unreachable');
  const choose = (value: string) => fireEvent.change(choice(), { target: { value } });
  const address = () =>
    screen.queryByLabelText<HTMLInputElement>('Address while it is unreachable');

  it('asks for an address only after its choice, and stores none until it is typed', () => {
    const state = show('');
    expect(address()).toBeNull();
    choose('address');
    expect([choice().value, address()?.value, state.to]).toEqual(['address', '', '']);
    fireEvent.change(address() ?? document.body, { target: { value: 'https://b.example/' } });
    expect(state.to).toBe('https://b.example/');
    choose('archive');
    expect([address(), state.to]).toEqual([null, ARCHIVED_COPY]);
    choose('none');
    expect(state.to).toBe('');
  });

  it('opens with what the link has', () => {
    show('https://b.example/');
    expect([choice().value, address()?.value]).toEqual(['address', 'https://b.example/']);
    cleanup();
    show(ARCHIVED_COPY);
    expect([choice().value, address()]).toEqual(['archive', null]);
  });

  it('shows an error about the watch mode once, at the control that can fix it', () => {
    show('https://b.example/', 'Not this.');
    expect(screen.getAllByText('Not this.')).toHaveLength(1);
    expect(address()?.getAttribute('aria-invalid')).toBe('true');
    cleanup();
    show(ARCHIVED_COPY, 'Not this.');
    expect(choice().getAttribute('aria-invalid')).toBe('true');
  });
});

it('history names the archived copy in words', () => {
  expect(describeSetting('watchFallback', { watch_fallback: ARCHIVED_COPY })).toBe(
    'the archived copy',
  );
});
