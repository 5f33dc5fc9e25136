import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LongUrl } from './long-url.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('LongUrl', () => {
  it('shows a long URL cut until it is expanded', () => {
    render(<LongUrl url={`https://example.com/${'a'.repeat(100)}`} />);
    const link = screen.getByRole('link');
    expect(link.className).toContain('truncate');
    act(() => screen.getByRole('button', { name: 'Show all', expanded: false }).click());
    expect(link.className).not.toContain('truncate');
    act(() => screen.getByRole('button', { name: 'Show less', expanded: true }).click());
    expect(link.className).toContain('truncate');
  });

  it('copies the URL, and never cuts a short one', () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    render(<LongUrl url="https://example.com/page" />);
    expect(screen.getByRole('link').className).not.toContain('truncate');
    expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull();
    act(() => screen.getByRole('button', { name: 'Copy long URL' }).click());
    expect(writeText).toHaveBeenCalledWith('https://example.com/page');
  });
});
