import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './link-order.ts';

it('a cursor is valid for its order only', () => {
  const position = { key: 'abc', id: 7 };
  for (const direction of ['after', 'before'] as const) {
    const cursor = encodeCursor(direction, '-code', position);
    expect(decodeCursor(cursor, '-code')).toEqual({ direction, position });
    expect(decodeCursor(cursor, 'code')).toBeNull();
  }
  for (const cursor of ['', 'x', encodeCursor('after', 'code', { key: 1, id: 0 })])
    expect(decodeCursor(cursor, 'code')).toBeNull();
});
