import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { signalMessage } from '#worker/messages/system.ts';
import { makePerson } from '#worker/testing/make.ts';
import { startSaas } from '#worker/testing/member-domains.ts';
import { QUIET_FACTS } from '#worker/testing/quiet-facts.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { evaluateDomains } from './evaluate-domains.ts';
import { readFacts } from './read-facts.ts';
import { evaluateSignals, shownSignals } from './signals.ts';

const NOW = Date.UTC(2027, 0, 10, 12);

/** The state while `hosts` of 100 domains and `used` of 50 hostnames are in use. */
function judge(hosts: number, used: number | null, silentMs: number | null = null, max = 100) {
  const quota = used === null ? null : { used, allocated: 50 };
  const silentSince = silentMs === null ? null : NOW - silentMs;
  const domains = { hosts, quota, silentSince };
  const { state, reason, values, since } = evaluateDomains({ ...QUIET_FACTS, domains }, max, NOW);
  return { state, since, ...signalMessage(reason, values) };
}

describe('evaluateDomains', () => {
  it.each([
    [79, 39, 'ok', '79 %'],
    [80, 0, 'warn', '80 %'],
    [99, 0, 'warn', '99 %'],
    [100, 0, 'bad', '100 %'],
    [0, 40, 'warn', '80 %'],
    [0, 49, 'warn', '98 %'],
    [0, 50, 'bad', '100 %'],
  ])('%i of 100 domains and %i of 50 hostnames are %s', (hosts, used, state, figure) => {
    expect(judge(hosts, used)).toMatchObject({ state, figure });
  });

  it('says what is used of both, and what that means when one is full', () => {
    expect(judge(12, 14).sentence).toBe(
      'Members have 12 of 100 domains. The platform counts 14 of 50 hostnames.',
    );
    expect(judge(100, 14).sentence).toBe(
      'Members have 100 of 100 domains. The platform counts 14 of 50 hostnames. No further one can be added.',
    );
    expect(judge(3, null).sentence).toBe('Members have 3 of 100 domains.');
    expect(judge(0, 0, null, 0).state).toBe('ok');
  });

  it('turns red a day after the platform last answered', () => {
    expect(judge(1, 1, DAY_MS).state).toBe('ok');
    expect(judge(1, 1, DAY_MS + 1)).toEqual({
      state: 'bad',
      sentence:
        'The platform has not said for 24 hours how many hostnames are used. New domains may not connect.',
      figure: '24 hours',
      since: NOW - DAY_MS - 1,
    });
  });
});

describe('the signal Domains', () => {
  it('shows what the job has stored, where members bring domains', async () => {
    stopClock();
    const { prove, runJob, saas, settings } = startSaas({ DOMAINS_MAX: '2' });
    await prove(await makePerson(), 'go.acme-quota.com');
    const start = Date.now();
    const signalAt = async (now: number, seen: Partial<Env> = settings) => {
      await env.DB.prepare(
        `INSERT INTO job_runs (name, started_at, finished_at, ok, detail) VALUES ('outbox', ?1, ?1, 1, '')
        ON CONFLICT (name) DO UPDATE SET started_at = ?1, finished_at = ?1`,
      )
        .bind(now)
        .run();
      const { facts } = await readFacts({ ...env, ...seen }, now);
      return shownSignals(evaluateSignals(facts), facts).find(({ signal }) => signal === 'domains');
    };
    expect(await signalAt(start)).toMatchObject({ state: 'unknown' });
    await runJob(start);
    expect(await signalAt(start)).toMatchObject({
      state: 'ok',
      sentence: 'Members have 1 of 2 domains. The platform counts 1 of 100 hostnames.',
    });
    expect(await signalAt(start, {})).toBeUndefined();
    saas.setQuota(1);
    await runJob(start + HOUR_MS - 1);
    expect(await signalAt(start)).toMatchObject({ state: 'ok' });
    await runJob(start + HOUR_MS);
    expect(await signalAt(start + HOUR_MS)).toMatchObject({ state: 'bad', figure: '100 %' });
    saas.setQuota(100);
    saas.setDown(true);
    const since = start + 2 * HOUR_MS;
    for (let hour = 0; hour <= 24; hour += 6) await runJob(since + hour * HOUR_MS);
    expect(await signalAt(since + DAY_MS)).toMatchObject({ state: 'bad', figure: '100 %' });
    expect(await signalAt(since + DAY_MS + 1)).toMatchObject({
      figure: '24 hours',
      since: new Date(since).toISOString(),
    });
    saas.setDown(false);
    await runJob(since + 25 * HOUR_MS);
    expect(await signalAt(since + 25 * HOUR_MS)).toMatchObject({ state: 'ok', figure: '50 %' });
  });
});
