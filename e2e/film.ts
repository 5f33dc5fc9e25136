import { readArguments } from '#scripts/shared/arguments.ts';
import { filmLink } from './support/film-link.ts';
import { withPictureBrowser } from './support/picture-host.ts';

const { values } = readArguments({
  usage: 'npm run generate -- film [-- --short]',
  about: `Films how a link is created and gets its first click, in both color schemes, as animated WebP
for README.md, into .github/. They are committed. With --short only the light one, without
movements and into the temporary folder.`,
  options: {
    short: { type: 'boolean', default: false, meaning: 'a film without movements, not committed' },
  },
});

await withPictureBrowser(async (browser, origin) => {
  await filmLink(browser, origin, { colorScheme: 'light', isShort: values.short });
  if (!values.short) await filmLink(browser, origin, { colorScheme: 'dark', isShort: false });
});
