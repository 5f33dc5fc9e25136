import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/plans/plans.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const resetsOn = async (headers: Record<string, string>): Promise<string> => {
  const { cycle_ends_at } = await (
    await call('/api/subscription', { headers })
  ).json<Subscription>();
  const day = new Intl.DateTimeFormat('en', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `Your quota resets on ${day.format(Date.parse(cycle_ends_at))} (UTC).`;
};
const shorten = (headers: Record<string, string>) =>
  call('/api/shorten', { json: { longUrl: 'https://example.com' }, headers });
const shortenMany = (headers: Record<string, string>, links: number) =>
  call('/api/shorten/bulk', {
    json: { longUrls: Array.from({ length: links }, (_, i) => `example.com/${i}`) },
    headers,
  });

describe('a used-up quota', () => {
  it('offers Premium to a member on Free', async () => {
    const { headers } = await makePerson({ usage: 25 });
    const response = await shorten(headers);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      error: "You have used all of this month's links",
      code: 'quota_reached',
      upgradeRequired: true,
    });
  });

  it('a used-up quota says when it resets on Premium, where no bigger plan exists', async () => {
    const { headers } = await makePerson({ plan: 'premium', usage: 1000 });
    const text = await resetsOn(headers);
    const response = await shorten(headers);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      error: `You have used all of this month's links. ${text}`,
      code: 'quota_reached',
      upgradeRequired: false,
    });
  });

  it('a used-up quota says the same for a list that it does not hold', async () => {
    const { headers } = await makePerson({ plan: 'premium', usage: 995 });
    const response = await shortenMany(headers, 6);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      error: `This list needs 6 links, and you have 5 left this month. ${await resetsOn(headers)}`,
      code: 'quota_reached',
      upgradeRequired: false,
    });
    expect((await shortenMany(headers, 5)).status).toBe(201);
  });
});
