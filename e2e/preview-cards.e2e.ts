import type { LinkCardResponse } from '#contract/links/link-card.ts';
import { expectAccessible } from './support/axe.ts';
import { tabTo } from './support/keyboard.ts';
import { makeLink } from './support/links.ts';
import { chooseAction } from './support/screenshot.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

/** A square JPEG with Exif data, in which the camera's name is readable. */
const EXIF = Buffer.from('Exif\0\0MM\0*\0\0\0\b\0\0 camera-of-a-member', 'latin1');
function photo(jpeg: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(EXIF.length + 2);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1]),
    length,
    EXIF,
    jpeg.subarray(2),
  ]);
}

test(
  'a card gets its picture on a phone by keyboard, and only chats see it',
  IN_SOAK,
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { headers } = await signInAsNew(page);
    const { code, shortUrl, target } = await makeLink(page.request, { headers });
    await page.goto('/dashboard');
    const jpeg = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(1400, 1400);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('No canvas.');
      context.fillRect(0, 0, 1400, 700);
      context.fillStyle = 'white';
      context.fillRect(0, 700, 1400, 700);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
      return Array.from(new Uint8Array(await blob.arrayBuffer()));
    });
    await chooseAction(page, 'Preview card');
    const dialog = page.getByRole('dialog', { name: 'Preview card' });
    await dialog.getByLabel('Title', { exact: true }).focus();
    await page.keyboard.type('Summer sale');
    await tabTo(page, /^Description/);
    await page.keyboard.type('Until August.');
    await tabTo(page, /^Choose picture$/);
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo(Buffer.from(jpeg)) };
    // The browser's own window of files is not part of the test: it cannot be awaited reliably.
    await dialog.getByLabel('Picture file').setInputFiles(file);

    // Its top is black and its bottom white: the keys move the part that is shown.
    const sketches = dialog.getByRole('region', { name: 'Preview' }).locator('img');
    await expect(sketches).toHaveCount(2);
    const middle = await sketches.first().getAttribute('src');
    await tabTo(page, /^Part, from top to bottom/);
    await page.keyboard.press('End');
    await expect(sketches.first()).not.toHaveAttribute('src', middle ?? '');
    await expectAccessible(page);
    await tabTo(page, /^Save card$/);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();

    const read = async (): Promise<LinkCardResponse> =>
      (await page.request.get(`/api/links/${code}/card`, { headers })).json();
    const image = (await read()).card?.image ?? '';
    const bytes = await (await page.request.get(image)).body();
    expect(bytes.includes('camera-of-a-member') || bytes.includes('Exif')).toBe(false);
    const stored = await page.evaluate(async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      return {
        size: [bitmap.width, bitmap.height],
        top: context?.getImageData(600, 100, 1, 1).data[0],
      };
    }, image);
    expect(stored.size).toEqual([1200, 630]);
    expect(stored.top).toBeGreaterThan(250);

    const follow = (userAgent?: string) =>
      page.request.get(shortUrl, {
        maxRedirects: 0,
        ...(userAgent === undefined ? {} : { headers: { 'User-Agent': userAgent } }),
      });
    const html = await (await follow(SLACK)).text();
    expect(html).toContain(`<meta property="og:image" content="${image}">`);
    expect(html).toContain('content="elsewhere.example · Until August."');
    const redirect = await follow();
    expect([redirect.status(), redirect.headers()['location']]).toEqual([302, target]);

    await chooseAction(page, 'Preview card');
    await dialog.getByLabel('Title', { exact: true }).focus();
    await tabTo(page, /^Remove card$/);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    expect((await read()).card).toBeNull();
    await expect.poll(async () => (await follow(SLACK)).headers()['location']).toBe(target);
  },
);
