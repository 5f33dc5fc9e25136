import { expect, test } from 'vitest';
import { parseShortCode } from './parse-short-code.ts';

test.each([
  ['abc1234', 'abc1234'],
  ['  abc1234 ', 'abc1234'],
  ['https://hop.example/abc1234', 'abc1234'],
  ['hop.example/abc1234+', 'abc1234'],
  ['https://hop.example/my-alias?utm=1#x', 'my-alias'],
  ['/abc1234', 'abc1234'],
  ['', ''],
])('%s is the code %s', (text, code) => {
  expect(parseShortCode(text)).toBe(code);
});
