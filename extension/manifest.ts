import type { EXTENSION_ARCHIVES } from '#contract/pages/paths.ts';
import { SITE_NAME } from '#contract/site.ts';

export type Browser = keyof typeof EXTENSION_ARCHIVES;

const BACKGROUND = 'background.js';
/** The sides of the icons in pixels. */
export const ICON_SIZES = [16, 32, 48, 128] as const;
const ICONS = Object.fromEntries(ICON_SIZES.map((size) => [size, `icon-${size}.png`]));

/**
 * Scripts, styles and pictures are only those of the package, and requests go only to servers that
 * a key may be sent to (cli/server-origin.ts).
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  'connect-src https: http://localhost:* http://127.0.0.1:*',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the manifest for a browser. The extension has no permission for any host: it reads a tab
 * only when its button is pressed (`activeTab`), and the public API answers every origin.
 */
export const extensionManifest = (browser: Browser, version: string) => ({
  manifest_version: 3,
  name: `${SITE_NAME}: shorten this page`,
  short_name: SITE_NAME,
  version,
  description: 'Shorten the page you are on, copy the short URL and show its QR code.',
  icons: ICONS,
  action: { default_title: 'Shorten this page', default_popup: 'popup.html', default_icon: ICONS },
  options_ui: { page: 'options.html', open_in_tab: true },
  permissions: ['activeTab', 'contextMenus', 'storage'],
  content_security_policy: { extension_pages: CONTENT_POLICY },
  commands: { _execute_action: { suggested_key: { default: 'Alt+Shift+S' } } },
  ...(browser === 'chromium'
    ? { minimum_chrome_version: '123', background: { service_worker: BACKGROUND } }
    : {
        background: { scripts: [BACKGROUND] },
        browser_specific_settings: {
          gecko: {
            id: 'extension@hop',
            strict_min_version: '128.0',
            // The address of the page and the key go to the server that the user has entered.
            data_collection_permissions: { required: ['browsingActivity', 'authenticationInfo'] },
          },
        },
      }),
});
