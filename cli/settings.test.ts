import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { settingsFile, writeSettings } from './settings.ts';

it('only the owner may read stored settings, also after an interrupted login', () => {
  const env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'hop-')) };
  const file = settingsFile(env);
  mkdirSync(dirname(file));
  writeFileSync(`${file}.${process.pid}`, 'left by an earlier run', { mode: 0o644 });
  writeSettings(env, { origin: 'https://hop.example', key: 'hop_live_key' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
