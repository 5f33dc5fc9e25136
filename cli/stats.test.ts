import { expect, it } from 'vitest';
import { hop } from './testing/hop.ts';

it('stats of all links names the five with the most clicks', async () => {
  const topLinks = [1, 2, 3, 4, 5, 6].map((n) => ({ shortUrl: `https://go.co/${n}`, clicks: 9 }));
  const found = { range: '7d', links: 6, totals: { clicks: 54, visitors: 1, bots: 0 }, topLinks };
  const { out } = await hop(['stats'], () => Response.json(found));
  const asJson = await hop(['stats', '--json'], () => Response.json(found));
  expect(JSON.parse(asJson.out)).toEqual(found);
  expect(out.match(/go\.co\/\d/g)).toEqual([1, 2, 3, 4, 5].map((n) => `go.co/${n}`));
});

it('clicks by a value name the value', async () => {
  const found = {
    groupBy: 'country',
    period: { start: '2027-01-01', end: '2027-01-07' },
    totals: { clicks: 9 },
    data: [
      { value: 'DE', shortUrl: null, clicks: 8 },
      { value: '', shortUrl: null, clicks: 1 },
    ],
  };
  const { out } = await hop(['clicks', '--by', 'country'], () => Response.json(found));
  const asJson = await hop(['clicks', '--json'], () => Response.json(found));
  expect(JSON.parse(asJson.out)).toEqual(found);
  expect(await hop(['clicks', '--limit', '0'])).toMatchObject({ code: 2, sent: [] });
  expect(out).toBe(
    'Clicks by country, 2027-01-01 to 2027-01-07\nTotal    9\nDE       8\nunknown  1',
  );
});

it('each value of a repeated option is checked', async () => {
  const argv = ['stats', 'sale', '--dimension', 'os', '--dimension', 'shoes'];
  expect(await hop(argv)).toMatchObject({ code: 2, sent: [] });
});
