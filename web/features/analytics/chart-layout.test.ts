import { describe, expect, it } from 'vitest';
import { layOutChart, type Values } from './chart-marks.tsx';

const values = (...numbers: (number | null)[]): Values[] =>
  numbers.map((value) => ({ value, previous: null }));
const many = values(...Array.from({ length: 32 }, (_, i) => i % 7));
const whole = { soFar: true, whole: true };

describe('layOutChart', () => {
  it('draws bars up to 31 values, and an area beyond', () => {
    const bars = layOutChart(many.slice(1), 600, whole);
    expect(bars.area).toBeNull();
    expect(bars.bars.length).toBe(many.slice(1).filter(({ value }) => value !== 0).length);
    const area = layOutChart(many, 600, whole);
    expect(area.bars).toEqual([]);
    expect(area.area).not.toBeNull();
  });

  it('draws straight lines only, and stops them where there is no value', () => {
    const gap = many.map((point, i) => (i === 10 ? { value: null, previous: null } : point));
    const { area } = layOutChart(gap, 600, { soFar: false, whole: true });
    expect(area?.line.replaceAll(/[\d.,-]/g, '')).toBe(`M${'L'.repeat(9)}M${'L'.repeat(20)}`);
    expect(area?.lineSoFar).toBe('');
    expect(area?.fill.split('M')).toHaveLength(3);
  });

  it('draws what has not ended apart', () => {
    expect(layOutChart(values(1, 2), 600, whole).bars.map(({ soFar }) => soFar)).toEqual([
      false,
      true,
    ]);
    expect(
      layOutChart(values(1, 2), 600, { soFar: false, whole: true }).bars.some(({ soFar }) => soFar),
    ).toBe(false);
    const { area } = layOutChart(many, 600, whole);
    expect(area?.line.split('L')).toHaveLength(31);
    expect(area?.lineSoFar.split('L')).toHaveLength(2);
  });

  it('shows a value without neighbours as a dot', () => {
    const lonely = many.map((_, i) => ({
      value: [5, 20, 21].includes(i) ? 2 : null,
      previous: i === 8 ? 1 : null,
    }));
    const layout = layOutChart(lonely, 600, whole);
    expect([layout.dots, layout.previousDots].map((dots) => dots.map(({ x }) => x))).toEqual([
      [layout.spotOf(5).centre],
      [layout.spotOf(8).centre],
    ]);
  });

  it('starts at zero and has room for the previous period', () => {
    const { bars, baseline, ticksY, previousBars } = layOutChart(
      [{ value: 5, previous: 10 }, ...values(10)],
      600,
      whole,
    );
    expect(ticksY[0]).toEqual({ value: 0, y: baseline });
    expect(ticksY.at(-1)?.value).toBe(10);
    expect(bars[0]?.height).toBe((bars[1]?.height ?? 0) / 2);
    expect(previousBars.length).toBe(1);
    const highest = (of: Values[]) => layOutChart(of, 600, whole).ticksY.at(-1)?.value;
    expect([highest([{ value: 5, previous: 10 }]), highest(values(0))]).toEqual([10, 1]);
  });

  it('draws the previous period as wider bars, or as an area behind an area', () => {
    const compared = (count: number) =>
      layOutChart(
        Array.from({ length: count }, () => ({ value: 1, previous: 2 })),
        600,
        whole,
      );
    const { bars, previousBars, previousArea } = compared(7);
    expect(previousBars[0]?.width).toBeGreaterThan(bars[0]?.width ?? Infinity);
    expect(previousBars[0]?.height).toBe((bars[0]?.height ?? 0) * 2);
    expect(previousArea).toBe('');
    expect(compared(40).previousBars).toEqual([]);
    expect(compared(40).previousArea).toMatch(/^M.*Z$/);
    const empty = layOutChart(
      many.map(({ value }) => ({ value, previous: 0 })),
      600,
      whole,
    );
    expect(empty.previousArea).toBe('');
  });

  it('a bar is at most 56 px wide, as wide as without a period before that is empty', () => {
    for (const previous of [null, 0]) {
      const layout = layOutChart([{ value: 1, previous }], 600, whole);
      const [bar] = layout.bars;
      expect([bar?.width, bar?.y, layout.right]).toEqual([56, layout.spotOf(0).y, 592]);
    }
  });

  it('the axis of counts has only whole numbers', () => {
    const numbers = (isWhole: boolean) =>
      layOutChart(values(1), 600, { soFar: true, whole: isWhole }).ticksY.map(({ value }) => value);
    expect(numbers(true)).toEqual([0, 1]);
    expect(numbers(false).length).toBeGreaterThan(2);
  });

  it('keeps dates apart and inside the chart', () => {
    for (const width of [280, 600, 1040]) {
      const { ticksX } = layOutChart(many, width, whole);
      expect(ticksX.at(-1)).toMatchObject({ index: 31, anchor: 'end' });
      for (const [i, { x }] of ticksX.entries())
        expect(x - (ticksX[i - 1]?.x ?? -100)).toBeGreaterThanOrEqual(76);
    }
  });

  it('finds the value at a position', () => {
    for (const points of [values(1, 2, 3), many]) {
      const layout = layOutChart(points, 600, whole);
      for (const index of points.keys())
        expect(layout.indexAt(layout.spotOf(index).centre)).toBe(index);
      expect([layout.indexAt(0), layout.indexAt(600)]).toEqual([0, points.length - 1]);
    }
  });
});
