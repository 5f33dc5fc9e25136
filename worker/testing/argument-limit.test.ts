import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { findLongCalls } from './argument-limit.ts';

const list = (length: number) => Array.from({ length }, (_, i) => i).join(', ');

describe('the limit of arguments in tests', () => {
  it('applies to every statement that a test sends to a database', async () => {
    expect(await env.DB.prepare(`SELECT json_array(${list(32)}) AS a`).first('a')).toContain('31');
    expect(() => env.DB.prepare(`SELECT json_array(${list(33)})`)).toThrow('too many arguments');
    expect(() => env.DB.prepare(`SELECT max(${list(33)})`)).toThrow('on function max');
  });

  it('counts the arguments of each call, not commas in texts, names and lists', () => {
    const few = `f(g(${list(20)}), "${list(40)}", h(${list(20)}), '${list(40)}''(')`;
    expect(
      findLongCalls(`SELECT ${few} -- (${list(40)}\n FROM t WHERE a IN (${list(40)})`),
    ).toEqual([]);
    expect(findLongCalls(`INSERT INTO t (${list(40)}) SELECT f(g(1), h(${list(33)}))`)).toEqual([
      'h',
    ]);
  });
});
