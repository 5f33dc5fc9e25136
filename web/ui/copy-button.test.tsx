import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CopyButton } from './copy-button.tsx';
import { Toaster } from './toaster.tsx';

const writeText = vi.fn<(text: string) => Promise<void>>();
beforeEach(() => {
  vi.useFakeTimers();
  writeText.mockReset().mockResolvedValue();
  vi.stubGlobal('navigator', { clipboard: { writeText } });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function wait(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}
const show = () =>
  render(
    <>
      <CopyButton text="https://hop.example/abc" label={null} name="Copy hop.example/abc" />
      <Toaster />
    </>,
  );
const announcement = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();

describe('CopyButton', () => {
  it('copies the text and confirms it for two seconds', async () => {
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Copy hop.example/abc' }));
    await wait(0);
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://hop.example/abc');
    expect(announcement()).toBe('Copied!');
    await wait(1_999);
    expect(screen.getByRole('button', { name: 'Copied!' })).toBeTruthy();
    await wait(1);
    expect(screen.getByRole('button', { name: 'Copy hop.example/abc' })).toBeTruthy();
  });

  it('starts the two seconds again when it is pressed again', async () => {
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Copy hop.example/abc' }));
    await wait(1_500);
    fireEvent.click(screen.getByRole('button', { name: 'Copied!' }));
    await wait(1_500);
    expect(screen.getByRole('button', { name: 'Copied!' })).toBeTruthy();
    await wait(500);
    expect(screen.queryByRole('button', { name: 'Copied!' })).toBeNull();
  });

  it('says that the browser blocked copying', async () => {
    vi.useRealTimers();
    writeText.mockRejectedValue(new DOMException('denied', 'NotAllowedError'));
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Copy hop.example/abc' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your browser blocked copying.',
    );
    expect(screen.queryByRole('button', { name: 'Copied!' })).toBeNull();
  });
});
