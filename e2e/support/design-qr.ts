import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { loadQrReader, readQrImage } from '#web/testing/read-qr.ts';

/** Designs a QR code with the keyboard, saves the design as a preset and exports the code. */
export async function designQr(
  page: Page,
  link: { code: string; shortUrl: string },
): Promise<void> {
  await expect(page).toHaveURL(`/qr/${link.code}`);
  await page.getByRole('group', { name: 'Modules' }).getByRole('radio', { name: 'Square' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(
    page.getByRole('group', { name: 'Modules' }).getByRole('radio', { name: 'Rounded' }),
  ).toBeChecked();
  const color = page.getByLabel('Code color', { exact: true });
  const download = page.getByRole('button', { name: 'Download PNG' });
  await color.fill('#f5f5f5');
  await expect(download).toBeDisabled();
  await color.fill('#0a3d62');
  await expect(download).toBeEnabled();
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b4430a"/></svg>';
  await page
    .getByLabel('Logo file')
    .setInputFiles({ name: 'l.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) });
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible();

  await page.getByRole('button', { name: 'Save as preset…' }).press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Brand');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Preset' }).locator('option:checked')).toHaveText(
    'Brand',
  );
  await page.reload();
  await page.getByRole('combobox', { name: 'Preset' }).selectOption('Brand');
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible();
  await expect(color).toHaveValue('#0a3d62');

  const save = async (format: string): Promise<Buffer> => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${format}` }).press('Enter');
    return readFile(await (await saved).path());
  };
  await loadQrReader();
  expect(await readQrImage(await save('PNG'))).toEqual([`${link.shortUrl}?qr=1`]);
  expect((await save('PDF')).toString('latin1')).toContain('/Subtype/Image');
}
