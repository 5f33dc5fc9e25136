import { DAY_MS } from '#contract/time.ts';
import { expect, it } from 'vitest';
import { postInput } from '#contract/blog/blog.ts';
import { KEEP_WEBHOOK_DELIVERIES_DAYS } from '#contract/limits.ts';
import { qrPresetInput } from '#contract/presets/qr-presets.ts';
import { sharedReportInput } from '#contract/reports/shared-reports.ts';
import { utmTemplateInput } from '#contract/presets/utm-templates.ts';
import { viewFilters } from '#contract/presets/views.ts';
import { webhookRequest } from '#contract/webhooks/webhooks.ts';
import { utmOfTarget } from '#worker/redirect/utm.ts';
import { PLANS } from '#contract/site.ts';
import { checkAlias } from '#worker/edge/codes.ts';
import { checkTarget } from '#worker/safety/target.ts';
import { shortenerHosts } from '#worker/safety/shorteners.ts';
import { clicksOn } from './clicks.ts';
import { DEMO_LINKS } from './links.ts';
import { BOTS } from './people.ts';
import {
  DEMO_QR_DESIGNS,
  DEMO_REPORT,
  DEMO_TEMPLATES,
  DEMO_VIEWS,
  DEMO_WEBHOOK,
  WEBHOOK_DAYS_AGO,
} from './presets.ts';
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

const ageOf = (link: (typeof DEMO_LINKS)[number], until: number) =>
  clicksOn(link, 1, NOW - link.daysAgo * DAY_MS, until, seededRandom(7));

it('one link has a year of clicks in every month, and one was launched today', () => {
  const year = DEMO_LINKS.find(({ daysAgo }) => daysAgo > 360);
  if (year === undefined) throw new Error('no link of a year');
  expect(year.daysAgo).toBeLessThan(366);
  const months = new Set(ageOf(year, NOW).map(({ t }) => new Date(t).getUTCMonth()));
  expect(months.size).toBe(12);
  const today = DEMO_LINKS.find(({ daysAgo }) => daysAgo < 1);
  if (today === undefined) throw new Error('no link of today');
  expect(ageOf(today, NOW).length).toBeGreaterThan(30);
});

it('a weekly link peaks on Thursday, and a campaign fades', () => {
  const clicksOf = (course: string, wanted: (t: number) => boolean) =>
    DEMO_LINKS.filter((link) => link.course === course)
      .flatMap((link) => ageOf(link, NOW).map(({ t }) => t))
      .filter(wanted).length;
  const all = clicksOf('weekly', () => true);
  expect(clicksOf('weekly', (t) => new Date(t).getUTCDay() === 4)).toBeGreaterThan(all / 3);
  const campaign = DEMO_LINKS.find(({ course, daysAgo }) => course === 'campaign' && daysAgo > 60);
  if (campaign === undefined) throw new Error('no old campaign');
  const ages = ageOf(campaign, NOW).map(({ t }) => (NOW - t) / DAY_MS);
  const early = ages.filter((age) => age > campaign.daysAgo - 30);
  expect(early.length).toBeGreaterThan(ages.length / 2);
});

it('clicks have QR scans, campaigns of destinations, and campaigns of visitors', () => {
  for (const owner of ['admin', 'user']) {
    const own = DEMO_LINKS.filter((link) => link.owner === owner);
    const clicks = own.flatMap((link) => ageOf(link, NOW));
    expect(clicks.some(({ q }) => q === 1)).toBe(true);
    // Bots, prefetches and visitors without a key are some clicks of many.
    for (const some of [
      clicks.filter(({ ua }) => BOTS.some(([, bot]) => bot === ua)),
      clicks.filter(({ p }) => p === 1),
      clicks.filter(({ k }) => k === ''),
    ]) {
      expect(some.length / clicks.length).toBeGreaterThan(0.01);
      expect(some.length / clicks.length).toBeLessThan(0.2);
    }
    expect(own.filter(({ target }) => utmOfTarget(target) !== '').length).toBeGreaterThan(1);
  }
  for (const link of DEMO_LINKS.filter(({ campaigns }) => campaigns !== undefined)) {
    const brought = new Set(ageOf(link, NOW).map(({ u }) => u));
    for (const campaign of link.campaigns ?? []) expect(brought).toContain(campaign);
  }
});

it('templates, QR designs, the shared report and the webhook are valid', () => {
  for (const template of DEMO_TEMPLATES)
    expect(utmTemplateInput.safeParse(template).success).toBe(true);
  for (const design of DEMO_QR_DESIGNS) expect(qrPresetInput.safeParse(design).success).toBe(true);
  expect(sharedReportInput.safeParse({ ...DEMO_REPORT.input, tagId: 1 }).success).toBe(true);
  expect(webhookRequest.safeParse(DEMO_WEBHOOK).success).toBe(true);
  const tagged = DEMO_LINKS.filter(
    ({ owner, tags, daysAgo }) =>
      owner === 'admin' && tags?.includes(DEMO_WEBHOOK.tag ?? '') && daysAgo < WEBHOOK_DAYS_AGO,
  );
  expect(tagged.length).toBeGreaterThan(2);
  expect(WEBHOOK_DAYS_AGO).toBeLessThan(KEEP_WEBHOOK_DELIVERIES_DAYS);
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
