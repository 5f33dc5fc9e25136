import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { BROKEN_ARC } from '#contract/pages/arcs.ts';
import { MARK } from '#contract/pages/brand.ts';
import { Arc } from './arc.tsx';
import { EmptyState } from './empty-state.tsx';
import { FailedState } from './failed-state.tsx';

afterEach(cleanup);

const arc = () => document.querySelector('svg');
/** True if the arc has a point in the color of landings. */
const lands = (): boolean => document.querySelector('.fill-landing') !== null;

describe('Arc', () => {
  it('draws the mark, still and hidden from screen readers, by default', () => {
    render(<Arc />);
    expect(arc()?.querySelector('path')?.getAttribute('d')).toBe(MARK.arc);
    expect(arc()?.getAttribute('aria-hidden')).toBe('true');
    expect(arc()?.hasAttribute('data-motion')).toBe(false);
    expect(lands()).toBe(true);
  });

  it('draws no landing point if its shape does not land', () => {
    render(<Arc shape={BROKEN_ARC} motion="draw" />);
    expect(arc()?.querySelectorAll('circle')).toHaveLength(1);
    expect(arc()?.dataset['motion']).toBe('draw');
    expect(lands()).toBe(false);
  });
});

describe('states of a list', () => {
  it('an empty list shows an arc that lands, and a failed one shows none that does', () => {
    const { unmount } = render(<EmptyState title="No links yet" />);
    expect(screen.getByText('No links yet')).toBeTruthy();
    expect(lands()).toBe(true);
    unmount();
    render(<FailedState title="It failed" query={{ refetch: () => undefined }} />);
    expect(arc()).not.toBeNull();
    expect(lands()).toBe(false);
  });
});
