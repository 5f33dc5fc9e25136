import { describe, expect, it } from 'vitest';
import { ApiError } from '#worker/http/errors.ts';
import { invalidPartsOf, v1CodeOf } from './problem.ts';

const issues = [
  { path: ['links', 3, 'a/b~c'], message: 'One.' },
  { path: ['longUrl'], message: 'Two.' },
  { path: ['customCode', '~1'], message: 'Three.' },
];

describe('invalidPartsOf', () => {
  it('names each part as the request does, as an escaped JSON pointer', () => {
    expect(invalidPartsOf(new ApiError('invalid_body', 'One.', { issues }))).toEqual([
      { detail: 'One.', pointer: '/links/3/a~1b~0c' },
      { detail: 'Two.', pointer: '/url' },
      { detail: 'Three.', pointer: '/code/~01' },
    ]);
  });

  it('uses the member of the error where it has no issues, below the item', () => {
    const error = new ApiError('alias_taken', 'Taken.', { field: 'customCode' });
    expect(invalidPartsOf(error, ['links', 2])).toEqual([
      { detail: 'Taken.', pointer: '/links/2/code' },
    ]);
    expect(invalidPartsOf(new ApiError('internal', 'Oops.'))).toEqual([]);
  });

  it('names parameters and headers without a pointer', () => {
    const one = { issues: [{ path: ['a', 'b'], message: 'One.' }] };
    expect(invalidPartsOf(new ApiError('invalid_query', '', one))).toEqual([
      { detail: 'One.', parameter: 'a.b' },
    ]);
    expect(invalidPartsOf(new ApiError('invalid_header', '', one))).toEqual([
      { detail: 'One.', header: 'a.b' },
    ]);
  });
});

describe('v1CodeOf', () => {
  it('hides a code that the public API does not have', () => {
    expect(v1CodeOf(new ApiError('misdirected', ''))).toBe('internal');
    expect(v1CodeOf(new ApiError('conflict', ''))).toBe('conflict');
  });
});
