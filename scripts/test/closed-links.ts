import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { DAY_MS } from '#contract/time.ts';
import { encodeEdgeRecord, toEdgeRecord } from '#worker/redirect/edge-record.ts';
import { toGateRow } from '#worker/redirect/gate.ts';
import { executeLocally, putLocally } from './local-stores.ts';

/** A link of this release that an earlier one must not redirect. */
type ClosedLink = {
  code: string;
  where: 'KV' | 'D1';
  startsAt: number | null;
  rules: LinkRule[];
  password?: string;
  clickLimit?: number;
  /** A statement that an earlier release may run on the link. */
  change?: string;
};

const RULES: LinkRule[] = [{ if: { country: ['BR'] }, to: 'https://behind-a-rule.example/br' }];

const LINKS = (['KV', 'D1'] as const).flatMap((where): ClosedLink[] => {
  const prefix = `closed-${where.toLowerCase()}`;
  const later = Date.now() + DAY_MS;
  return [
    { code: `${prefix}-start`, where, startsAt: later, rules: [] },
    { code: `${prefix}-rules`, where, startsAt: null, rules: RULES },
    { code: `${prefix}-both`, where, startsAt: later, rules: RULES },
    { code: `${prefix}-password`, where, startsAt: null, rules: [], password: 'hash' },
    { code: `${prefix}-limit`, where, startsAt: null, rules: [], clickLimit: 3 },
    { code: `${prefix}-all`, where, startsAt: 1, rules: RULES, password: 'hash', clickLimit: 3 },
  ];
});
/** Lifting a hold makes a link active, and a new target raises its version. */
const CHANGE = `update links set status = 'active', target = 'https://behind-a-rule.example/other', version = version + 1`;
const CHANGED: ClosedLink[] = [
  { code: 'closed-d1-changed', where: 'D1', startsAt: null, rules: RULES, change: CHANGE },
  {
    code: 'closed-d1-unlocked',
    where: 'D1',
    startsAt: null,
    rules: [],
    password: 'hash',
    change: CHANGE,
  },
];
const ALL = [...LINKS, ...CHANGED];
/** Ordinary links next to them, which show that the release redirects. */
const OPEN = ['open-d1', 'open-watched'] as const;
/** One of them is watched, and leads to the fallback of its dead destination. */
const WATCH = [
  `update links set watch = 'on', watch_fallback = 'archive' where code = '${OPEN[1]}'`,
  `insert into link_health (link_id, home, fallback, state, reason, status, fails, first_failed_at, since, checked_at)
    select id, 'https://dead.example/', target, 'dead', 'status', 404, 3, updated_at, updated_at, updated_at
    from links where code = '${OPEN[1]}'`,
];

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const columnsOf = ({ startsAt, rules, password = '', clickLimit }: ClosedLink) => ({
  starts_at: startsAt,
  rules: rules.length === 0 ? '' : JSON.stringify(rules),
  password_hash: password,
  click_limit: clickLimit ?? null,
  limit_id: clickLimit === undefined ? '' : 'name',
});

function insert(link: ClosedLink, id: number): string[] {
  const { code, change } = link;
  const columns = columnsOf(link);
  const values = Object.values(columns).map((value) =>
    typeof value === 'string' ? quote(value) : String(value),
  );
  const time = Date.now() - DAY_MS;
  return [
    `insert into links (id, code, target, target_host, created_at, updated_at, ${Object.keys(columns).join(', ')})
      values (${id}, ${quote(code)}, 'https://behind-a-rule.example/', 'behind-a-rule.example', ${time}, ${time}, ${values.join(', ')})`,
    ...(change === undefined ? [] : [`${change} where code = ${quote(code)}`]),
  ];
}

/** Writes links with conditions to the local database and to KV, as this release stores them. */
export async function writeClosedLinks(state: string): Promise<void> {
  const open = OPEN.map((code): ClosedLink => ({ code, where: 'D1', startsAt: null, rules: [] }));
  await executeLocally(state, [
    ...[...ALL, ...open].flatMap((link, at) => insert(link, 9_000 + at)),
    ...WATCH,
  ]);
  await putLocally(
    state,
    ALL.flatMap((link, at) =>
      link.where === 'D1' ? [] : [{ key: link.code, value: recordOf(9_000 + at, link) }],
    ),
  );
}

const recordOf = (id: number, link: ClosedLink): string =>
  encodeEdgeRecord(
    toEdgeRecord({
      id,
      version: 1,
      target: 'https://behind-a-rule.example/',
      status: 'active',
      disabled_reason: null,
      expires_at: null,
      forward_params: '',
      variants: '',
      card_at: null,
      ...toGateRow(),
      ...columnsOf(link),
    }),
  );

/**
 * True for a link that a release with rules opens rightly: it has only rules, and none of them
 * matches.
 */
const isOpenByRules = ({ startsAt, password, clickLimit }: ClosedLink): boolean =>
  startsAt === null && password === undefined && clickLimit === undefined;

/**
 * Follows the links and their previews. Returns a line for each that shows a destination although
 * the release does not know its conditions.
 */
export async function findOpened(
  origin: string,
  { knowsRules }: { knowsRules: boolean },
): Promise<string[]> {
  const opened: string[] = [];
  for (const { code } of ALL.filter((link) => !(knowsRules && isOpenByRules(link))))
    for (const path of [code, code, `${code}+`]) {
      const response = await fetch(`${origin}/${path}`, { redirect: 'manual' });
      const text = await response.text();
      // A release that knows passwords answers 200 with the form.
      const isRedirect = response.status >= 300 && response.status < 400;
      if (isRedirect || text.includes('behind-a-rule'))
        opened.push(`/${path} answers ${response.status}`);
    }
  for (const code of OPEN) {
    const { status } = await fetch(`${origin}/${code}`, { redirect: 'manual' });
    if (status !== 302) opened.push(`/${code} answers ${status}, not 302`);
  }
  return opened;
}
