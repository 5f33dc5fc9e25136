import { env } from 'cloudflare:test';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { checkLinks } from '#worker/watch/check-links.ts';
import type { Person } from './make.ts';

export type SentRequest = { url: string; host: string; method: string; at: number; until: number };
type Answer = Response | Error;

export type Internet = {
  now: number;
  durationMs: number;
  answers: Map<string, (method: string) => Answer | Promise<Answer>>;
  addresses: Map<string, string[]>;
  copies: Map<string, unknown>;
  sent: SentRequest[];
  fetcher: FetchFunction;
  /** Runs the job once. */
  run: (settings?: Partial<Env>, budget?: JobBudget) => Promise<JobResult>;
};

const PUBLIC_ADDRESS = '93.184.215.14';

/**
 * The Internet as checks of destinations see it, with a clock. `answers` maps addresses to what
 * they answer; others answer 200. `addresses` are those of hosts, `copies` those of the archive. A
 * request takes `durationMs`.
 */
export function makeInternet(now: number): Internet {
  const internet: Internet = {
    now,
    durationMs: 0,
    answers: new Map(),
    addresses: new Map(),
    copies: new Map(),
    sent: [],
    fetcher: async (input, init = {}) => {
      const url = new URL(input);
      if (url.hostname === 'cloudflare-dns.com') {
        const host = url.searchParams.get('name') ?? '';
        const isV6 = url.searchParams.get('type') === 'AAAA';
        const all = internet.addresses.get(host) ?? [PUBLIC_ADDRESS];
        const found = all.filter((address) => address.includes(':') === isV6);
        return Response.json({ Status: 0, Answer: found.map((data) => ({ data })) });
      }
      const method = init.method ?? 'GET';
      const at = internet.now;
      internet.sent.push({
        url: url.href,
        host: url.hostname,
        method,
        at,
        until: at + internet.durationMs,
      });
      if (url.hostname === 'archive.org')
        return Response.json(internet.copies.get(url.searchParams.get('url') ?? '') ?? {});
      const answer = (await internet.answers.get(url.href)?.(method)) ?? new Response('');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    run: (settings = {}, budget = UNBOUNDED) =>
      checkLinks({ ...env, ...settings }, internet.now, budget, {
        fetcher: internet.fetcher,
        clock: () => internet.now + internet.durationMs,
      }),
  };
  return internet;
}

let serial = 0;

/** Inserts a link that `person` watches, created at `now` in ms. Returns its id and code. */
export async function watchLink(
  { id: userId }: Pick<Person, 'id'>,
  target: string,
  now: number,
  { watch = 'on', fallback = '' } = {},
): Promise<{ id: number; code: string }> {
  const code = `watched-${++serial}`;
  const id = await env.DB.prepare(
    `INSERT INTO links (code, target, target_host, user_id, watch, watch_fallback, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) RETURNING id`,
  )
    .bind(code, target, new URL(target).hostname, userId, watch, fallback, now)
    .first<number>('id');
  return { id: id ?? 0, code };
}

/** The state of a link and of its checks. */
export const watchedState = (id: number) =>
  env.DB.prepare(
    `SELECT links.target, next_check_at, version, state, reason, health.status, fails, fallback FROM links
     LEFT JOIN link_health AS health ON health.link_id = links.id WHERE links.id = ?1`,
  )
    .bind(id)
    .first<{
      target: string;
      next_check_at: number;
      version: number;
      state: string | null;
      reason: string | null;
      status: number | null;
      fails: number | null;
      fallback: string | null;
    }>();

/** No link of an earlier test is due. */
export const unwatchAll = () => env.DB.prepare("UPDATE links SET watch = 'off'").run();
