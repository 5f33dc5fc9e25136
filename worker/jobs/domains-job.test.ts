import { env } from 'cloudflare:test';
import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { countStatements } from '#worker/db/count-statements.ts';
import { makePerson } from '#worker/testing/make.ts';
import { startSaas } from '#worker/testing/member-domains.ts';
import { mailsTo } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { JOBS, runDueJobs } from './schedule.ts';

/** What the platform's free plan allows an invocation, of subrequests and of D1 queries. */
const FREE_MAX = 50;

beforeEach(stopClock);

it('the job about domains makes at most 50 subrequests and queries on the free plan', async () => {
  const { connect, prove, saas, settings } = startSaas({ DEV_MAILBOX: 'on' });
  const people = await Promise.all(['a', 'b', 'c', 'd'].map(() => makePerson()));
  const [failing = await makePerson(), ...waiting] = people;
  await connect(failing, 'go.failing.acme-job.com');
  // Names as deep as there can be, which the platform refuses.
  saas.setQuota(0);
  for (const [at, person] of waiting.entries())
    await prove(person, `${at}.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.acme-job.com`);
  saas.setRecords('go.failing.acme-job.com', 'CNAME', []);
  saas.setRecords('go.failing.acme-job.com', 'A', ['192.0.2.4']);
  const now = Date.now() + 1;
  await env.DB.batch([
    env.DB.prepare('UPDATE domain_hosts SET next_check_at = 1'),
    env.DB.prepare(
      "UPDATE domain_hosts SET failing_since = ?1, next_check_at = 0 WHERE host LIKE '%failing%'",
    ).bind(now - DAY_MS),
    ...[1, 2, 3].map((id) =>
      env.DB.prepare(
        'INSERT INTO domain_removals (saas_id, host, next_try_at) VALUES (?1, ?1, 0)',
      ).bind(`gone-${id}`),
    ),
  ]);
  const fetched = vi.mocked(fetch);
  fetched.mockClear();
  let statements = 0;
  const DB = countStatements(env.DB, () => void (statements += 1));
  const jobs = JOBS.filter(({ name }) => name === 'domains');
  await runDueJobs({ ...env, ...settings, DB, WORKERS_PLAN: 'free' }, now, jobs);
  const requests = fetched.mock.calls.length;
  console.log(`the job about domains: ${requests} subrequests, ${statements} queries`);
  const run = env.DB.prepare("SELECT ok, detail FROM job_runs WHERE name = 'domains'");
  expect(await run.first()).toEqual({
    ok: 1,
    detail: '2 hosts checked, 2 hostnames deleted, 1 mail sent',
  });
  expect(await mailsTo(failing.email)).toHaveLength(1);
  expect(requests).toBeLessThanOrEqual(FREE_MAX);
  expect(statements).toBeLessThanOrEqual(FREE_MAX);
});
