import { DAY_MS } from '#contract/time.ts';
import { expect, it } from 'vitest';
import { postInput } from '#contract/blog.ts';
import { viewFilters } from '#contract/views.ts';
import { PLANS } from '#contract/site.ts';
import { checkAlias } from '#worker/edge/codes.ts';
import { checkTarget } from '#worker/safety/target.ts';
import { shortenerHosts } from '#worker/safety/shorteners.ts';
import { clicksOn } from './clicks.ts';
import { DEMO_LINKS, DEMO_VIEWS } from './links.ts';
import { DEMO_POSTS } from './posts.ts';
import { seededRandom } from './random.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

it.each(DEMO_LINKS)('the link policy takes $target', ({ target, alias }) => {
  expect(
    checkTarget(target, { ownHosts: ['localhost'], shorteners: shortenerHosts('') }),
  ).toMatchObject({ ok: true });
  if (alias !== undefined) expect(checkAlias(alias)).toEqual({ ok: true });
});

it('lists links oldest first, with unique aliases and eight in the running cycle', () => {
  const ages = DEMO_LINKS.map(({ daysAgo }) => daysAgo);
  expect(ages).toEqual(ages.toSorted((a, b) => b - a));
  const aliases = DEMO_LINKS.flatMap(({ alias }) => alias ?? []);
  expect(new Set(aliases.map((alias) => alias.toLowerCase())).size).toBe(aliases.length);
  const member = DEMO_LINKS.filter(({ owner }) => owner === 'user');
  expect(member.filter(({ daysAgo }) => daysAgo < 9)).toHaveLength(8);
  expect(member.length).toBeLessThan(PLANS.free.monthlyLimit * 3);
});

it('both accounts have tags, titles, favorites and ended links', () => {
  for (const owner of ['admin', 'user']) {
    const own = DEMO_LINKS.filter((link) => link.owner === owner);
    const tags = new Set(own.flatMap((link) => link.tags ?? []));
    expect(tags.size).toBeGreaterThan(3);
    expect(own.some((link) => link.favorite)).toBe(true);
    const ended = own.filter(({ endsDaysAgo, daysAgo }) => (endsDaysAgo ?? daysAgo) < daysAgo);
    expect(ended.length).toBeGreaterThan(0);
    for (const { filters } of DEMO_VIEWS) expect(viewFilters.safeParse(filters).success).toBe(true);
  }
});

it.each(DEMO_POSTS)('"$title" is a valid post', (post) => {
  expect(post).toMatchObject(postInput.parse(post));
});

it('makes the same clicks on every run, none before the link or in the future', () => {
  const [link] = DEMO_LINKS;
  if (link === undefined) throw new Error('no demo link');
  const madeAt = NOW - link.daysAgo * DAY_MS;
  const clicks = clicksOn(link, 1, madeAt, NOW, seededRandom(7));
  expect(clicks).toEqual(clicksOn(link, 1, madeAt, NOW, seededRandom(7)));
  expect(clicks.length).toBeGreaterThan(300);
  expect(clicks.every(({ t }) => t >= madeAt && t < NOW)).toBe(true);
});
