import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { plural } from '#contract/language.ts';
import { TimeChart } from './time-chart.tsx';

afterEach(cleanup);

const chart = (...values: (number | null)[]) => (
  <TimeChart
    points={values.map((value, at) => ({
      id: at,
      name: `day ${at}`,
      tick: `${at}`,
      value,
      previous: null,
    }))}
    width={600}
    label="Chart"
    caption="Clicks"
    columns={['Date', 'Clicks']}
    format={String}
    describe={(value) => plural(value, 'click')}
    whole
    soFar
  />
);
const slider = () => screen.getByRole('slider');
const examined = () => document.querySelector('[data-chart-point]')?.textContent;

describe('TimeChart', () => {
  it('the focus examines the last point, and leaving or Escape none', () => {
    render(chart(1, 2, 3));
    fireEvent.focus(slider());
    expect(examined()).toBe('3 clicksday 2, so far');
    fireEvent.change(slider(), { target: { value: '0' } });
    expect(examined()).toBe('1 clickday 0');
    expect(slider().getAttribute('aria-valuetext')).toBe('day 0: 1 click');
    expect(document.querySelector('svg > .fill-sunken')).not.toBeNull();
    // The slider and the table say the same.
    expect(document.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
    fireEvent.keyDown(slider(), { key: 'Escape' });
    expect(examined()).toBeUndefined();
    expect(document.querySelector('svg > .fill-sunken')).toBeNull();
    fireEvent.focus(slider());
    fireEvent.blur(slider());
    expect(examined()).toBeUndefined();
  });

  it('examines a point until the mouse leaves the chart, and after a finger does', () => {
    const { container } = render(chart(1, 2, 3));
    const box = container.querySelector('[dir="ltr"]') ?? container;
    fireEvent.pointerDown(box, { clientX: 0, pointerType: 'touch' });
    fireEvent.pointerOut(box, { pointerType: 'touch' });
    expect(examined()).toBe('1 clickday 0');
    fireEvent.pointerMove(box, { clientX: 600, pointerType: 'mouse' });
    expect(examined()).toBe('3 clicksday 2, so far');
    fireEvent.pointerOut(box, { pointerType: 'mouse' });
    expect(examined()).toBeUndefined();
  });

  it('examines the last point of a chart that became shorter', () => {
    const { rerender } = render(chart(1, 2, 3));
    fireEvent.focus(slider());
    rerender(chart(1, 2));
    expect(examined()).toBe('2 clicksday 1, so far');
    rerender(chart(1, null));
    expect(examined()).toBe('No visitorsday 1, so far');
    rerender(chart(...Array<number>(32).fill(1_500)));
    expect(document.querySelector('svg > .stroke-line-strong')).not.toBeNull();
    expect(document.querySelector('svg')?.textContent).toContain('1.5K');
  });
});
