import { signInAs } from './support/sign-in.ts';
import { IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** Texts that set `window.hopRan` if they are parsed as markup or run as a script. */
const PAYLOADS = [
  `<script>window.hopRan='script'</script>`,
  `<img src=x onerror="window.hopRan='img'">`,
  `<svg/onload=window.hopRan='svg'>`,
  `"><iframe srcdoc="<script>parent.hopRan='srcdoc'</script>">`,
  `<a href="javascript:window.hopRan='href'">click</a>`,
  `javascript:window.hopRan='address'`,
  `</title></textarea></script><script>window.hopRan='end'</script>`,
  `<style>@import 'https://evil.example/x.css'</style>`,
  `{{constructor.constructor("window.hopRan='template'")()}}`,
  `<details open ontoggle=window.hopRan='toggle'>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=window.hopRan='mutation'>`,
];
/**
 * The payloads whose post is opened. Every post contains all of them, and lists show all titles.
 * This one ends a title.
 */
const OPENED = IS_SOAK ? PAYLOADS.keys() : [6];

// The `watch` fixture also fails the test on any content-policy report.
test('[T18] stored markup stays text in posts, targets and previews', async ({ page, baseURL }) => {
  const { headers } = await signInAs(page, 'admin');
  const stamp = Date.now().toString(36);
  const codes: string[] = [];
  const ids: number[] = [];
  for (const [index, payload] of PAYLOADS.entries()) {
    const post = {
      title: `${payload} ${stamp}`,
      slug: `markup-${stamp}-${index}`,
      content: [payload, ...PAYLOADS].join('\nhttps://example.com/"'),
      published: true,
    };
    const written = await page.request.post('/api/blogs-admin', { headers, data: post });
    expect(written.status()).toBe(201);
    ids.push((await written.json()).id);
    const data = { longUrl: `https://example.com/${payload}?${payload}#${payload}` };
    const made = await page.request.post('/api/shorten', { headers, data });
    if (made.status() === 201) codes.push((await made.json()).code);
  }
  expect(codes.length).toBeGreaterThan(5);
  const paths = [
    '/blogs',
    '/admin/blogs',
    '/dashboard',
    '/admin',
    `/analytics/${codes[0]}`,
    `/${codes[0]}+`,
  ];
  for (const index of OPENED) paths.push(`/blog/markup-${stamp}-${index}`);
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0);
    expect(await page.evaluate(() => Reflect.get(window, 'hopRan')), path).toBeUndefined();
    const links = await page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const href of links)
      expect(new URL(href, baseURL).protocol, `${path}: ${href}`).toMatch(/^(https?|mailto):$/);
  }
  for (const id of ids)
    expect((await page.request.delete(`/api/blogs-admin/${id}`, { headers })).status()).toBe(200);
});
