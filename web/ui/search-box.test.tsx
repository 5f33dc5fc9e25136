import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchBox } from './search-box.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search by code' });
const type = (text: string): void => void fireEvent.change(field(), { target: { value: text } });
const wait = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

describe('SearchBox', () => {
  it('searches for the trimmed text once typing pauses for 250 ms', () => {
    const onSearch = vi.fn();
    render(<SearchBox label="Search by code" search="" onSearch={onSearch} />);
    type(' a');
    wait(200);
    type(' ab ');
    wait(249);
    expect(onSearch).not.toHaveBeenCalled();
    wait(1);
    expect(onSearch).toHaveBeenCalledExactlyOnceWith('ab');
  });

  it('adopts text that was typed before the code had loaded', () => {
    const onSearch = vi.fn();
    const box = <SearchBox label="Search by code" search="" onSearch={onSearch} />;
    const root = document.createElement('div');
    root.innerHTML = renderToString(box);
    document.body.append(root);
    field().value = 'early';
    render(box, { container: root, hydrate: true });
    expect(field().value).toBe('early');
    wait(250);
    expect(onSearch).toHaveBeenCalledExactlyOnceWith('early');
  });

  it('a search is not repeated for the current text', () => {
    const onSearch = vi.fn();
    render(<SearchBox label="Search by code" search="ab" onSearch={onSearch} />);
    expect(field().value).toBe('ab');
    type('ab ');
    wait(1_000);
    expect(onSearch).not.toHaveBeenCalled();
  });

  it('shows a search that changed elsewhere', () => {
    const onSearch = vi.fn();
    const { rerender } = render(
      <SearchBox label="Search by code" search="ab" onSearch={onSearch} />,
    );
    rerender(<SearchBox label="Search by code" search="" onSearch={onSearch} />);
    expect(field().value).toBe('');
    wait(1_000);
    expect(onSearch).not.toHaveBeenCalled();
  });
});
