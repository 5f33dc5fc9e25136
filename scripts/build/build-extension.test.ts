import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXTENSION_ARCHIVES } from '#contract/pages/paths.ts';
import { extensionManifest } from '#extension/manifest.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { WEB_DIST } from '#scripts/shared/place.ts';
import { extensionFolder, plainTheme } from './build-extension.ts';
import { ensureWebBuilt } from './build-web.ts';

const MEMBERS = [
  'action',
  'background',
  'commands',
  'content_security_policy',
  'description',
  'icons',
  'manifest_version',
  'name',
  'options_ui',
  'permissions',
  'short_name',
  'version',
];

describe('the manifests of the extension', () => {
  const { version }: { version: string } = JSON.parse(readText('package.json'));
  const chromium = extensionManifest('chromium', version);
  const firefox = extensionManifest('firefox', version);

  it('both ask for no site, and for as few permissions as possible', () => {
    for (const manifest of [chromium, firefox]) {
      expect(manifest.permissions).toEqual(['activeTab', 'contextMenus', 'storage']);
      expect(Object.keys(manifest).filter((name) => /host|content_scripts/.test(name))).toEqual([]);
      expect(manifest.content_security_policy.extension_pages.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        'connect-src https: http://localhost:* http://127.0.0.1:*',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      expect(manifest.action).toMatchObject({
        default_title: 'Shorten this page',
        default_popup: 'popup.html',
      });
      expect(manifest.options_ui).toEqual({ page: 'options.html', open_in_tab: true });
      expect(manifest.commands._execute_action.suggested_key.default).toBe('Alt+Shift+S');
    }
  });

  it('Chromium gets a service worker and no member that it does not know', () => {
    expect(chromium.background).toEqual({ service_worker: 'background.js' });
    expect(chromium).toHaveProperty('minimum_chrome_version', '123');
    expect(Object.keys(chromium).toSorted()).toEqual(
      [...MEMBERS, 'minimum_chrome_version'].toSorted(),
    );
  });

  it('Firefox gets scripts, an id in its form, and what data leaves the browser', () => {
    expect(firefox.background).toEqual({ scripts: ['background.js'] });
    expect(Object.keys(firefox).toSorted()).toEqual(
      [...MEMBERS, 'browser_specific_settings'].toSorted(),
    );
    expect(firefox).toMatchObject({
      browser_specific_settings: {
        gecko: {
          id: expect.stringMatching(/^[\w.-]*@[\w.-]+$/),
          strict_min_version: '128.0',
          data_collection_permissions: { required: ['browsingActivity', 'authenticationInfo'] },
        },
      },
    });
  });

  it('stores accept the texts and the version', () => {
    expect(version).toMatch(/^\d+(\.\d+){2}$/);
    expect(chromium.name.length).toBeLessThanOrEqual(45);
    expect(chromium.short_name.length).toBeLessThanOrEqual(12);
    expect(chromium.description.length).toBeLessThanOrEqual(132);
  });
});

describe('the built extension', () => {
  it.each(['chromium', 'firefox'] as const)(
    'the folder and the archive for %s have every file of the manifest',
    async (browser) => {
      await ensureWebBuilt();
      const folder = extensionFolder(browser);
      const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
      const files = [...manifest.matchAll(/"([\w-]+\.(?:js|html|png))"/g)].map(
        ([, name = '']) => name,
      );
      expect(files.length).toBeGreaterThan(5);
      expect(files.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
      const archive = readFileSync(join(WEB_DIST, EXTENSION_ARCHIVES[browser]));
      expect(files.filter((name) => !archive.includes(name))).toEqual([]);
    },
  );

  it('its style sheet has the application’s tokens, and nothing of Tailwind', () => {
    const theme = plainTheme(readText('web/styles/theme.css'));
    expect(theme).toContain('--color-landing: light-dark(');
    expect(theme).toContain('@font-face');
    expect(theme).not.toMatch(/@(?:theme|utility|apply|import)|initial;/);
  });
});
