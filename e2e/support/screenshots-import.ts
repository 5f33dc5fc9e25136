import type { Page } from '@playwright/test';
import { onPremium, type Screenshot } from './screenshot.ts';

const path = '/links/import';

const ROWS = [
  'long_url,code,title,labels,clicks,internal id',
  'https://example.com/spring-sale?utm_source=newsletter&utm_medium=email&utm_campaign=spring,spring,"Spring sale, first week",newsletter,12345,1',
  'https://example.com/a/very/long/way/to/a/page/that/nobody/would/type/by/hand/in/this/life.html,login,Sign-in help,,17,2',
  'https://example.org/,,A link without a code,docs,0,3',
  'http://localhost/secret,intern,Not for the public,,3,4',
  ',lost,No destination,,1,5',
];

async function check(page: Page): Promise<void> {
  await page.getByLabel('Or paste rows').fill(ROWS.join('\n'));
  await page.getByRole('button', { name: 'Read rows' }).click();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('heading', { name: 'What the import will do' }).waitFor();
}

/** The import page before, during and after an import. */
export const IMPORT_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'import', path, who: 'new', state: 'empty' },
  { name: 'import-checked', path, who: 'new', state: 'full', after: check },
  {
    name: 'import-result',
    path,
    who: 'new',
    state: 'full',
    before: onPremium(),
    after: async (page) => {
      // A result stays until another file is imported.
      await page.getByRole('button', { name: /^(Choose file|Download result)$/ }).waitFor();
      if (await page.getByLabel('Or paste rows').isHidden()) return;
      await check(page);
      await page.getByRole('radio', { name: 'Add a number' }).check({ force: true });
      await page.getByRole('button', { name: /^Import \d+ links$/ }).click();
      await page.getByRole('button', { name: 'Download result' }).waitFor();
    },
  },
];
