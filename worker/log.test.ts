import { env } from 'cloudflare:test';
import { DrizzleQueryError } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { publishLater } from '#worker/events/publish-later.ts';
import { createClickBuffer } from '#worker/redirect/click-window.ts';
import { deliverWindow } from '#worker/redirect/deliver-window.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundD1, throwsBefore } from '#worker/testing/faults.ts';
import { errorFacts, errorText, logEvent } from './log.ts';

const SECRET = '4711174711';
const down = { DB: aroundD1(env.DB, throwsBefore('D1 is down')) };

afterEach(() => {
  vi.restoreAllMocks();
});

/** The lines that are logged while `work` runs. */
async function linesOf(work: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  await work();
  return lines.join('\n');
}

describe('a statement that fails', () => {
  it('[T65] a failed statement is logged by its cause, without the values to store', async () => {
    const lines = await linesOf(() => publishLater({ ...env, ...down }, [Number(SECRET)], 0));
    expect(lines).toContain('"event":"publish_failed"');
    expect(lines).toContain('D1 is down');
    expect(lines).not.toContain(SECRET);
  });

  it('[T65] a failed statement is logged by its cause when a page needed it', async () => {
    const lines = await linesOf(() =>
      call(`/blog/a-post-${SECRET}`, {}, { ...down, LOG_SAMPLE_RATE: '0' }),
    );
    expect(lines).toContain('"event":"page_posts_failed"');
    expect(lines).not.toContain(SECRET);
  });

  it('[T65] a failed statement is logged by its cause when clicks are lost with it', async () => {
    const event = { l: 1, t: 0, ua: 'A', r: '', c: 'IN', g: '', y: '', k: '' };
    const buffer = createClickBuffer();
    const window = buffer.add({ event, address: '' }, 0);
    if (window === null) throw new Error('no window was opened');
    const CLICKS = withMethods(env.CLICKS, { send: () => Promise.reject(new Error('queue down')) });
    const lines = await linesOf(() =>
      deliverWindow(
        window,
        buffer,
        { ...env, CLICKS },
        {
          fold: () =>
            Promise.reject(
              new DrizzleQueryError('insert into counts', [SECRET], new Error('D1 is down')),
            ),
          log: logEvent,
          recordLoss: () => Promise.resolve(),
        },
        { sendMs: 100, attempts: 1, pauseMs: 1, foldMs: 100 },
      ),
    );
    expect(lines).toBe('{"event":"click_lost","clicks":1,"error":"Error: D1 is down"}');
  });
});

describe('errorFacts', () => {
  it('accepts whatever was thrown', () => {
    expect(errorText('a text')).toBe('Error: a text');
    const wrapped = new DrizzleQueryError(
      'q',
      [SECRET],
      new DrizzleQueryError('q', [SECRET], new TypeError('root')),
    );
    expect(errorText(wrapped)).toBe('TypeError: root');
    expect(JSON.stringify(errorFacts(wrapped))).not.toContain(SECRET);
  });
});
