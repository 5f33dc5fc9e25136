import { chromium } from '@playwright/test';
import { withProduct } from '#scripts/local/product.ts';
import { readArguments } from '#scripts/shared/arguments.ts';
import { CHROMIUM_ARGS, ensureChromium } from '#scripts/test/chromium.ts';
import { filmLink } from './support/film-link.ts';
import { pictureArgs, pictureVars } from './support/picture-host.ts';

const { values } = readArguments({
  usage: 'npm run generate -- film [-- --short]',
  about: `Films how a link is created and gets its first click, in both color schemes, as animated WebP
for README.md, into .github/. They are committed. With --short only the light one, without
movements and into the temporary folder.`,
  options: {
    short: { type: 'boolean', default: false, meaning: 'a film without movements, not committed' },
  },
});

const executablePath = await ensureChromium();
await withProduct(async (origin) => {
  const browser = await chromium.launch({
    executablePath,
    args: [...CHROMIUM_ARGS, ...pictureArgs(origin)],
  });
  try {
    await filmLink(browser, origin, { colorScheme: 'light', isShort: values.short });
    if (!values.short) await filmLink(browser, origin, { colorScheme: 'dark', isShort: false });
  } finally {
    await browser.close();
  }
}, pictureVars);
