import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { newClientAddress } from './client-address.ts';
import { openCamera, VIEWPORT } from './camera.ts';
import { PICTURE_HOST } from './picture-host.ts';
import { signInAs } from './sign-in.ts';

const FOLDER = resolve(import.meta.dirname, '../../.github');
const SIZE_MAX = 1536 * 1024;
const SECONDS_MAX = 15;

/** Both films are made in one account, so each needs a separate link. */
const ALIASES = { dark: 'summer', light: 'spring' };
const VISITOR =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';

/**
 * Films how a link is created and gets its first click, and writes the film beside the pictures. A
 * short one is written to the temporary folder.
 */
export async function filmLink(
  browser: Browser,
  origin: string,
  { colorScheme, isShort }: { colorScheme: 'light' | 'dark'; isShort: boolean },
): Promise<void> {
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme,
    viewport: VIEWPORT,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    extraHTTPHeaders: { 'CF-Connecting-IP': newClientAddress() },
  });
  const page = await context.newPage();
  const alias = ALIASES[colorScheme];
  await signInAs(page, 'admin');
  for (const path of ['/analytics/hono', '/dashboard'])
    await page.goto(path, { waitUntil: 'networkidle' });
  const camera = await openCamera(browser, page, { colorScheme, isShort });

  camera.say('Paste a long address, choose a short one.');
  await camera.hold(700);
  await camera.click(page.getByRole('main').getByRole('link', { name: 'New link' }));
  const panel = page.getByRole('dialog', { name: 'New link' });
  await panel.getByLabel('Destination').waitFor();
  await camera.hold(300);
  await panel
    .getByLabel('Destination')
    .fill(`https://www.example.org/gallery/${alias}-exhibition?utm_source=poster`);
  await camera.hold(600);
  await camera.type(panel.getByLabel('Alias (optional)'), alias);
  await camera.click(panel.getByRole('button', { name: 'Create link' }));

  const result = page.getByRole('dialog', { name: 'Link created' });
  await result.getByRole('img', { name: /QR code/ }).waitFor();
  camera.say('The short URL is copied, and its QR code is ready to print.');
  await camera.hold(1_800);
  await camera.click(result.getByRole('link', { name: 'Analytics' }));
  await page.getByText('No clicks yet').first().waitFor();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  camera.say('Nobody has clicked it yet.');
  await camera.hold(1_300);

  camera.say('Somebody scans the poster …');
  await camera.hold(1_000);
  const visit = await page.request.get(`${origin}/${alias}?qr`, {
    maxRedirects: 0,
    headers: {
      'User-Agent': VISITOR,
      'CF-Connecting-IP': newClientAddress(),
      Host: PICTURE_HOST,
    },
  });
  if (visit.status() !== 302) throw new Error(`The short URL answered ${visit.status()}.`);
  await page.getByText('No clicks yet').first().waitFor({ state: 'detached', timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  camera.say('… and the first click is there.');
  await camera.hold(3_000);

  const { film: bytes, seconds, frames } = await camera.develop();
  await context.close();
  writeFileSync(`${isShort ? tmpdir() : FOLDER}/film-${colorScheme}.webp`, bytes);
  const size = bytes.length;
  console.log(
    `film-${colorScheme}.webp: ${Math.ceil(size / 1024)} KB, ${frames} frames, ${seconds.toFixed(1)} s`,
  );
  if (size > SIZE_MAX || seconds > SECONDS_MAX) {
    console.error(`A film has at most ${SIZE_MAX / 1024} KB and ${SECONDS_MAX} s.`);
    process.exitCode = 1;
  }
}
