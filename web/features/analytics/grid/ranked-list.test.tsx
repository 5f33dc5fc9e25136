import { cleanup, render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RankedList } from './ranked-list.tsx';

afterEach(cleanup);

const row = { key: 'IN', text: 'India', clicks: 1_234, chosen: false, onChoose: null };

describe('RankedList', () => {
  it('shows shares of the total, which includes rows that are not shown', () => {
    render(<RankedList total={4_936} largest={1_234} rows={[row]} />);
    expect(screen.getByRole('listitem').textContent).toBe('India 25% 1,234');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('the bar of a row is relative to the largest row, not to the total', () => {
    const half = { ...row, key: 'US', text: 'United States', clicks: 617 };
    // The test page drops styles with max().
    const page = renderToStaticMarkup(
      <RankedList total={4_936} largest={1_234} rows={[row, half]} />,
    );
    expect(page.match(/width:[^"]+/g)).toEqual(['width:max(2px, 100%)', 'width:max(2px, 50%)']);
  });

  it('filters by a row when it is pressed, and says which one is the filter', () => {
    const onChoose = vi.fn<() => void>();
    render(<RankedList total={40} largest={10} rows={[{ ...row, chosen: true, onChoose }]} />);
    const button = screen.getByRole('button', { name: /^India/, pressed: true });
    button.click();
    expect(onChoose).toHaveBeenCalledOnce();
    expect(button.title).toBe('Remove the filter');
    expect(screen.getByTitle('India').textContent).toBe('India');
    cleanup();
    render(<RankedList total={40} largest={10} rows={[{ ...row, onChoose }]} />);
    expect(screen.getByRole('button', { pressed: false }).title).toBe('Filter the page');
  });
});
