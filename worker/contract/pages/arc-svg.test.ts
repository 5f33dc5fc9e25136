import { describe, expect, it } from 'vitest';
import { arcElements } from './arc-svg.ts';
import { BROKEN_ARC, ENDED_ARC, LOOPING_ARC, WIDE_ARC } from './arcs.ts';
import { MARK } from './brand.ts';

describe('elements of an arc', () => {
  it.each([MARK, WIDE_ARC])('draws the landing point in its own color: $viewBox', (shape) => {
    expect(arcElements(shape, 'black', 'orange')).toContain(
      `<circle cx="${shape.landing.x}" cy="18" r="2.25" fill="orange"/>`,
    );
  });

  it.each([
    ['broken', BROKEN_ARC],
    ['ended', ENDED_ARC],
    ['looping', LOOPING_ARC],
  ])('draws no landing point if the arc is %s', (_name, shape) => {
    const elements = arcElements(shape, 'black', 'orange');
    expect(elements).not.toContain('orange');
    expect(elements.match(/<circle/g)).toHaveLength(1);
    expect(elements).toContain(shape.arc);
  });
});
