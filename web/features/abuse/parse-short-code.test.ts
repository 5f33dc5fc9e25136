import { describe, expect, it } from 'vitest';
import { parseShortCode } from './report-page.tsx';

describe('parseShortCode', () => {
  it.each([
    ['abc1234', 'abc1234'],
    ['  abc1234 ', 'abc1234'],
    ['https://hop.example/abc1234', 'abc1234'],
    ['HTTP://hop.example/abc1234/', 'abc1234'],
    ['hop.example/abc1234+', 'abc1234'],
    ['https://hop.example/my-alias?utm=1#x', 'my-alias'],
    ['/abc1234', 'abc1234'],
    ['', ''],
  ])('finds the code in %s', (text, code) => {
    expect(parseShortCode(text)).toBe(code);
  });
});
