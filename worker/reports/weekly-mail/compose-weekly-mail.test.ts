import { describe, expect, it } from 'vitest';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { composeWeeklyMail } from './compose-weekly-mail.ts';
import type { WeeklyReport } from './weekly-report.ts';
import { mondayOf, weekToSend } from './weeks.ts';

const MONDAY = Date.UTC(2026, 10, 23) / DAY_MS;
const textOf = (report: Partial<WeeklyReport>): string =>
  composeWeeklyMail(
    'somebody@example.com',
    {
      days: [MONDAY - 7, MONDAY - 1],
      clicks: 2,
      clicksBefore: 0,
      visitors: 1,
      top: [],
      stopped: [],
      ...report,
    },
    { app: 'https://app.example', short: 'https://hop.example', domains: NO_DOMAINS, token: 't' },
  ).text;

describe('composeWeeklyMail', () => {
  it.each<[clicks: number, before: number, text: string]>([
    [2, 0, '2 clicks by 1 visitor. The week before had 0 clicks.'],
    [3, 3, '3 clicks by 1 visitor, as many as the week before. The week before had 3 clicks.'],
    [1, 2, '1 click by 1 visitor, down 50%.'],
    [4_000, 1, 'up 399,900%.'],
    [1_001, 1_000, 'up less than 1%.'],
    [0, 7, '0 clicks by 1 visitor, down 100%.'],
  ])('says how %i clicks compare with %i of the week before', (clicks, clicksBefore, text) => {
    expect(textOf({ clicks, clicksBefore })).toContain(text);
  });

  it('lists ten links that have stopped, and says whether there are more', () => {
    const stopped = (count: number) =>
      textOf({
        stopped: Array.from({ length: count }, (_, i) => ({
          code: `s${i}`,
          target: '',
          reason: 'ended' as const,
        })),
      });
    expect(stopped(10)).toContain('hop.example/s9: its end date has passed.');
    expect(stopped(10)).not.toContain('and more');
    expect(stopped(11)).toContain('hop.example/s9: its end date has passed.\n- and more,');
    expect(stopped(11)).not.toContain('s10');
  });

  it('leaves out a list without links', () => {
    expect(textOf({})).not.toMatch(/Most clicked links|stopped working/);
    expect(textOf({})).toContain('https://app.example/analytics?range=7d\n');
  });
});

describe('weekToSend', () => {
  it('a week is sent from Monday 06:00 UTC until the end of Tuesday', () => {
    const at = (ms: number) => weekToSend(MONDAY * DAY_MS + ms);
    expect([6 * HOUR_MS - 1, 6 * HOUR_MS, 2 * DAY_MS - 1, 2 * DAY_MS].map(at)).toEqual([
      null,
      MONDAY,
      MONDAY,
      null,
    ]);
    expect([-1, 0, 7 * DAY_MS - 1].map((ms) => mondayOf(MONDAY * DAY_MS + ms))).toEqual([
      MONDAY - 7,
      MONDAY,
      MONDAY,
    ]);
  });
});
