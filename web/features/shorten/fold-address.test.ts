import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { foldAddress } from './fold-address.ts';

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Folds an address over a code of two letters, each 10 px wide, in a line of 80 px. */
async function fold(isReduced: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches: isReduced }));
  vi.spyOn(Range.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Range) {
    return new DOMRect(this.startOffset * 10, 5, (this.endOffset - this.startOffset) * 10, 20);
  });
  const line = document.createElement('p');
  line.innerHTML = '<a><span>hop/</span><span>ab</span></a>';
  line.getBoundingClientRect = () => new DOMRect(0, 0, 80, 20);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const animate = vi.fn<(frames: Keyframe[], options?: object) => unknown>(() => ({ finished }));
  Object.defineProperty(HTMLElement.prototype, 'animate', { value: animate, configurable: true });
  foldAddress(line, 'example.com/a');
  const ghost = line.children[1];
  const pieces = [...(ghost?.children ?? [])].map((piece) =>
    [piece.textContent, piece.getAttribute('style')].join(' '),
  );
  const moves = animate.mock.calls.map(([frames]) => frames.at(-1)?.transform);
  const timings = animate.mock.calls.map(([, options]) => options);
  finish();
  await waitFor(() => expect(line.children).toHaveLength(1));
  return { ghost, pieces, moves, timings };
}

it('folds a piece of the address into each letter of the code, and removes it', async () => {
  const { ghost, pieces, moves, timings } = await fold(false);
  expect([ghost?.getAttribute('aria-hidden'), ghost?.getAttribute('dir')]).toEqual(['true', 'ltr']);
  expect(ghost?.className).toContain('pointer-events-none');
  expect(pieces).toEqual(['exam left: 0px;', 'ple. left: 40px;']);
  expect(moves).toEqual([
    'translate(0px, 5px) scaleX(0.25)',
    'translate(-30px, 5px) scaleX(0.25)',
    // The short URL itself appears.
    undefined,
  ]);
  const piece = { duration: 320, easing: 'cubic-bezier(0.5, 0, 0.2, 1)', fill: 'both' };
  expect(timings).toEqual([
    { ...piece, delay: 140 },
    { ...piece, delay: 158 },
    { duration: 140 + 320 + 2 * 18 },
  ]);
});

it('shows the short URL at once to a visitor who wants no motion', async () => {
  expect(await fold(true)).toEqual({ ghost: undefined, pieces: [], moves: [], timings: [] });
});
