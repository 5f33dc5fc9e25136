import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { findChromium, findFullChromium } from './chromium.ts';

afterEach(() => vi.unstubAllEnvs());

it('CHROMIUM names the browser, and the full one unless it is a headless shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hop-chromium-'));
  const [full, shell] = ['chromium', 'chrome-headless-shell'].map((name) => join(folder, name));
  for (const file of [full, shell]) writeFileSync(file ?? '', '');
  vi.stubEnv('CHROMIUM', full);
  expect([findChromium(), findFullChromium()]).toEqual([full, full]);
  vi.stubEnv('CHROMIUM', shell);
  expect(findChromium()).toBe(shell);
  expect(findFullChromium()).not.toBe(shell);
  const found = findFullChromium();
  vi.stubEnv('CHROMIUM', join(folder, 'missing'));
  expect(findFullChromium()).toBe(found);
  expect(findChromium()).not.toContain(folder);
});
