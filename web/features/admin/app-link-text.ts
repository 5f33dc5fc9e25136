import { PAGES, PREFIXES, ROOT_FILES } from '#contract/pages/paths.ts';
import { previewPathOf } from '#contract/codes/link-key.ts';

/**
 * What to fill in for a new file. `ownPages`: the pages of Hop have the same host as short links,
 * and should open in the browser.
 */
export type AppleStart = { appId: string; ownPages: boolean };
export type AndroidStart = { packageName: string; fingerprints: string; ownPages: boolean };

/** The text of an apple-app-site-association file for one app. */
export const appleText = ({ appId, ownPages }: AppleStart): string =>
  textOf({
    applinks: { details: [{ appIDs: [appId.trim()], components: componentsOf(ownPages) }] },
  });

/** The text of an assetlinks.json file for one app. `fingerprints` are separated by spaces. */
export const androidText = ({ packageName, fingerprints, ownPages }: AndroidStart): string =>
  textOf([
    {
      relation: [OPENS_LINKS],
      target: {
        namespace: 'android_app',
        package_name: packageName.trim(),
        sha256_cert_fingerprints: fingerprints
          .trim()
          .toUpperCase()
          .split(/[\s,]+/),
      },
      relation_extensions: {
        [OPENS_LINKS]: { dynamic_app_link_components: componentsOf(ownPages) },
      },
    },
  ]);

const OPENS_LINKS = 'delegate_permission/common.handle_all_urls';

/** JSON with a component per line, because there are many. */
const textOf = (file: unknown): string =>
  JSON.stringify(file, null, 2).replaceAll(
    /\{\s+("\/": "[^"]*"(?:,\s+"exclude": true)?)\s+\}/g,
    (_, members: string) => `{ ${members.replaceAll(/\s+/g, ' ')} }`,
  );

type Component = { '/': string; exclude?: true };
const exclude = (path: string): Component => ({ '/': path, exclude: true });

/** The first component that matches a path decides. */
const componentsOf = (ownPages: boolean): Component[] => [
  ...(ownPages ? ownPaths() : ['/']).map(exclude),
  exclude(previewPathOf('*')),
  { '/': '/*' },
];

/** The paths of Hop's own pages and files, as patterns: `/settings` and `/settings/*`. */
function ownPaths(): string[] {
  const segments = [...PAGES, '/status'].map((page) => page.split('/')[1] ?? '');
  const pages = [...new Set(segments)].filter((segment) => segment !== '');
  const areas = new Set<string>([
    ...[...PAGES]
      .filter((page) => page.lastIndexOf('/') > 0)
      .map((page) => page.split('/')[1] ?? ''),
    ...PREFIXES,
  ]);
  return [
    '/',
    ...pages.map((page) => `/${page}`),
    ...[...areas].map((area) => `/${area}/*`),
    ...ROOT_FILES.map((file) => `/${file}`),
  ];
}
