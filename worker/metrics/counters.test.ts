import { beforeEach, describe, expect, it } from 'vitest';
import {
  busyDatabases,
  countRemembered,
  countResponse,
  hasFailures,
  mergeWindows,
  observe,
  observeBusy,
  takeWindow,
} from './counters.ts';

beforeEach(() => {
  takeWindow();
});

describe('takeWindow', () => {
  it('returns each combination of attributes once, with its buckets, and forgets them', () => {
    countResponse('/api', 200, 3);
    countResponse('/api', 200, 50);
    countResponse('/api', 404, 20_000);
    expect(takeWindow()).toEqual([
      {
        name: 'http.server.request.duration',
        values: ['/api', '200'],
        count: 2,
        sum: 53,
        buckets: [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
      },
      {
        name: 'http.server.request.duration',
        values: ['/api', '404'],
        count: 1,
        sum: 20_000,
        buckets: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      },
    ]);
    expect(takeWindow()).toEqual([]);
  });

  it('counts redirects from memory together with the others, as 0 ms', () => {
    countResponse('/{code}', 302, 30);
    countRemembered();
    countRemembered();
    const [redirects] = takeWindow();
    expect(redirects).toMatchObject({ values: ['/{code}', '302'], count: 3, sum: 30 });
    expect(redirects?.buckets[0]).toBe(2);
    countRemembered();
    expect(takeWindow()).toMatchObject([{ count: 1, sum: 0 }]);
  });

  it('adds up amounts of a counter', () => {
    observe('hop.clicks.lost', 400);
    observe('hop.clicks.lost', 2);
    expect(takeWindow()).toEqual([
      { name: 'hop.clicks.lost', values: [], count: 2, sum: 402, buckets: [] },
    ]);
  });

  it('adds up for how long a database was busy, also since the isolate began', () => {
    const before = busyDatabases().get('DB') ?? 0;
    observeBusy('DB', 5);
    takeWindow();
    observeBusy('DB', 2);
    expect(takeWindow()).toMatchObject([{ name: 'hop.d1.busy', values: ['DB'], sum: 2 }]);
    expect(busyDatabases().get('DB')).toBe(before + 7);
  });

  it('memory is bounded, whatever the values are', () => {
    for (let i = 0; i < 1_000; i++) observe('hop.mails', 1, String(i));
    expect(takeWindow().length).toBe(400);
  });

  it('a clock that was set back makes no negative duration', () => {
    observe('hop.fold.duration', -5, '');
    expect(takeWindow()).toMatchObject([{ count: 1, sum: 0 }]);
  });
});

describe('hasFailures', () => {
  it('says yes from the first 5xx until the window is taken', () => {
    countResponse('/api', 429, 1);
    expect(hasFailures()).toBe(false);
    countResponse('/api/ready', 503, 1);
    expect(hasFailures()).toBe(false);
    countResponse('/api', 503, 1);
    expect(hasFailures()).toBe(true);
    takeWindow();
    expect(hasFailures()).toBe(false);
  });
});

describe('mergeWindows', () => {
  it('adds up what both have and keeps what one has', () => {
    countResponse('/api', 200, 3);
    const first = takeWindow();
    countResponse('/api', 200, 4);
    observe('hop.mails', 1, 'sent');
    expect(mergeWindows(first, takeWindow())).toMatchObject([
      {
        values: ['/api', '200'],
        count: 2,
        sum: 7,
        buckets: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      },
      { values: ['sent'], count: 1 },
    ]);
  });
});
