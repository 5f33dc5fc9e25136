import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorldMap } from './world-map.tsx';

afterEach(cleanup);

const row = (
  key: string,
  text: string,
  clicks: number,
  onChoose: (() => void) | null = () => undefined,
) => ({
  key,
  text,
  clicks,
  chosen: false,
  onChoose,
});

describe('WorldMap', () => {
  it('each country with clicks has a button, and a note counts clicks not on the map', () => {
    render(
      <WorldMap
        total={20}
        countries={[
          row('IN', 'India', 12),
          row('SG', 'Singapore', 5),
          row('Unknown', 'Unknown', 3),
        ]}
      />,
    );
    const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
    expect(names).toEqual(['India: 12 clicks, 60%', 'Singapore: 5 clicks, 25%']);
    expect(screen.getByText('3 clicks from places not on the map.')).toBeTruthy();
    const [india, singapore] = screen.getAllByRole('button', { pressed: false });
    expect([india, singapore].map((path) => path?.getAttribute('fill-opacity'))).toEqual([
      '1',
      '0.78',
    ]);
    expect(screen.getByText('Shades from').parentElement?.textContent).toBe('Shades from1to12');
  });

  it('says which country has most, and how many share the most', () => {
    const { container, rerender } = render(
      <WorldMap total={17} countries={[row('IN', 'India', 12), row('DE', 'Germany', 5)]} />,
    );
    expect(container.textContent).toContain('India has most: 12 clicks (71%)');
    rerender(
      <WorldMap
        total={12}
        countries={[row('IN', 'India', 5), row('DE', 'Germany', 5), row('SG', 'Singapore', 2)]}
      />,
    );
    expect(container.textContent).toContain('India and 1 more: 5 clicks each');
    rerender(<WorldMap total={1} countries={[row('IN', 'India', 1)]} />);
    expect(container.textContent).toBe('India: 1 click (100%)');
    rerender(<WorldMap total={1} countries={[row('Unknown', 'Unknown', 1)]} />);
    expect(container.textContent).toBe('No known places1 click from places not on the map.');
  });

  it('the map has no buttons where a country is no filter', () => {
    render(<WorldMap total={12} countries={[row('IN', 'India', 12, null)]} />);
    expect(screen.queryByRole('button')).toBeNull();
    expect(
      screen.getByRole('img', { name: 'India: 12 clicks, 100%' }).getAttribute('tabindex'),
    ).toBe('0');
  });

  it('the map is one tab stop, in which arrow keys move and Enter filters', () => {
    const onChoose = vi.fn<() => void>();
    render(
      <WorldMap
        total={17}
        countries={[row('IN', 'India', 12), row('DE', 'Germany', 5, onChoose)]}
      />,
    );
    const [india, germany] = screen.getAllByRole('button');
    if (india === undefined || germany === undefined) throw new Error('no countries');
    expect([india, germany].map((button) => button.getAttribute('tabindex'))).toEqual(['0', '-1']);
    fireEvent.focus(india);
    fireEvent.keyDown(india, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(germany);
    expect(germany.getAttribute('tabindex')).toBe('0');
    fireEvent.keyDown(germany, { key: 'Enter' });
    expect(onChoose).toHaveBeenCalledOnce();
    fireEvent.keyDown(germany, { key: ' ' });
    fireEvent.click(germany);
    expect(onChoose).toHaveBeenCalledTimes(3);
    fireEvent.keyDown(germany, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(india);
    fireEvent.keyDown(india, { key: 'ArrowLeft' });
    expect(document.activeElement).toBe(germany);
    fireEvent.keyDown(germany, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(india);
    // The page does not scroll.
    expect(fireEvent.keyDown(india, { key: 'ArrowDown' })).toBe(false);
    expect(document.activeElement).toBe(germany);
    expect(fireEvent.keyDown(germany, { key: 'Tab' })).toBe(true);
  });

  it('stays a tab stop when the focused country is gone', () => {
    const india = row('IN', 'India', 12);
    const { rerender } = render(
      <WorldMap total={17} countries={[india, row('DE', 'Germany', 5)]} />,
    );
    act(() => screen.getByRole('button', { name: /^Germany/ }).focus());
    rerender(<WorldMap total={12} countries={[{ ...india, chosen: true }]} />);
    const left = screen.getByRole('button', { name: /^India/, pressed: true });
    expect(left.getAttribute('tabindex')).toBe('0');
  });

  it('shows a tooltip at the country under the pointer, or else at the focused one', () => {
    const { container } = render(
      <WorldMap total={17} countries={[row('IN', 'India', 12), row('DE', 'Germany', 5)]} />,
    );
    const tooltip = () => container.querySelector('[data-map-tooltip]')?.textContent;
    const [india, germany] = screen.getAllByRole('button');
    if (india === undefined || germany === undefined) throw new Error('no countries');
    expect(tooltip()).toBeUndefined();
    fireEvent.focus(india);
    expect(tooltip()).toBe('India: 12 clicks (71%)');
    fireEvent.pointerMove(germany, { clientX: 1, clientY: 1 });
    expect(tooltip()).toBe('Germany: 5 clicks (29%)');
    const box = container.querySelector<HTMLElement>('[data-map-tooltip]');
    expect([box?.style.left, box?.style.transform]).toEqual(['100%', 'translateX(-100%)']);
    fireEvent.pointerEnter(india);
    expect(tooltip()).toBe('India: 12 clicks (71%)');
    fireEvent.pointerMove(germany);
    fireEvent.pointerLeave(germany.closest('svg') ?? container);
    expect(tooltip()).toBe('India: 12 clicks (71%)');
    fireEvent.blur(india);
    expect(tooltip()).toBeUndefined();
    expect(container.textContent).toContain('India has most: 12 clicks (71%)');
  });

  it('draws a dot on a small country, and none on a large one', () => {
    render(<WorldMap total={3} countries={[row('LU', 'Luxembourg', 2), row('IN', 'India', 1)]} />);
    const [small, large] = screen.getAllByRole('button');
    // The shape and the dot.
    expect(small?.getAttribute('d')).toMatch(/^M[\d.,]+l[^a]*a6,6/);
    expect([small, large].map((path) => path?.getAttribute('d')?.includes('a6,6'))).toEqual([
      true,
      false,
    ]);
  });
});
