import { randomUUID } from 'node:crypto';
import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test';

export type MadeLink = { code: string; shortUrl: string; target: string };

/** Creates a short link to a page of another site (see elsewhere.ts) through the API. */
export async function makeLink(
  request: APIRequestContext,
  options: { headers?: Record<string, string>; customCode?: string; target?: string } = {},
): Promise<MadeLink> {
  const target = options.target ?? `http://elsewhere.example/${randomUUID()}?a=1&b=%C3%A4#part`;
  const { customCode } = options;
  const answer = await request.post('/api/shorten', {
    headers: options.headers ?? {},
    data: customCode === undefined ? { longUrl: target } : { longUrl: target, customCode },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const { code, shortUrl } = await answer.json();
  return { code, shortUrl, target };
}

export const newAlias = (): string => `t-${randomUUID().slice(0, 12)}`;

/** The rows of links, without the steps, tabs and filters that are lists in the same region. */
export const linkRows = (page: Page): Locator =>
  page.getByRole('region', { name: 'Your links' }).locator('li:has([data-row-link])');

/** Chooses an item of the menu of a link in a list. */
export async function chooseForLink(page: Page, code: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${code}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Makes the member Premium and creates these links, up to 100. Returns their codes in order. */
export async function makeManyLinks(
  request: APIRequestContext,
  headers: Record<string, string>,
  longUrls: readonly string[],
): Promise<string[]> {
  await request.post('/api/subscription', { headers, data: {} });
  const answer = await request.post('/api/shorten/bulk', { headers, data: { longUrls } });
  expect(answer.status(), await answer.text()).toBe(201);
  const { lines }: { lines: { code: string }[] } = await answer.json();
  return lines.map(({ code }) => code);
}
