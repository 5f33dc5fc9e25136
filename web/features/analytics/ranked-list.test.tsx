import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { RankedList } from './ranked-list.tsx';

afterEach(cleanup);

test('a share is of all clicks, rows that are not shown included', () => {
  render(<RankedList total={40} rows={[{ key: 'IN', label: 'India', clicks: 10 }]} empty="No location data" />);
  expect(screen.getByRole('listitem').textContent).toBe('India25%10');
});

test('no rows: the sentence, and no list', () => {
  render(<RankedList total={0} rows={[]} empty="No location data" />);
  expect(screen.getByText('No location data')).toBeTruthy();
  expect(screen.queryByRole('list')).toBeNull();
});
