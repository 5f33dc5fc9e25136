import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { RankedList } from './ranked-list.tsx';

afterEach(cleanup);

describe('RankedList', () => {
  it('shows shares of the total, which includes rows that are not shown', () => {
    render(<RankedList total={40} rows={[{ key: 'IN', label: 'India', clicks: 10 }]} empty="No location data" />);
    expect(screen.getByRole('listitem').textContent).toBe('India25%10');
  });

  it('shows only the empty text without rows', () => {
    render(<RankedList total={0} rows={[]} empty="No location data" />);
    expect(screen.getByText('No location data')).toBeTruthy();
    expect(screen.queryByRole('list')).toBeNull();
  });
});
