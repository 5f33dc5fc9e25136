import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { originOf } from './server-origin.ts';
import { readCliSettings, settingsFile, writeSettings } from './settings.ts';

const newEnv = () => ({ XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'hop-')) });
const stored = { origin: 'https://hop.example', key: 'hop_live_stored' };

it('only the owner may read stored settings, also after an interrupted login', () => {
  const env = newEnv();
  const file = settingsFile(env);
  writeSettings(env, stored);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  writeFileSync(`${file}.${process.pid}`, 'left by an earlier run', { mode: 0o644 });
  writeSettings(env, stored);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('settings are in ~/.config unless XDG_CONFIG_HOME names another folder', () => {
  const home = join(homedir(), '.config', 'hop', 'config.json');
  expect(settingsFile({})).toBe(home);
  expect(settingsFile({ XDG_CONFIG_HOME: '' })).toBe(home);
});

it('settings are in %APPDATA% on Windows', () => {
  const env = { APPDATA: '/users/a/roaming' };
  expect(settingsFile(env, 'win32')).toBe('/users/a/roaming/hop/config.json');
  expect(settingsFile({ ...env, XDG_CONFIG_HOME: '/x' }, 'win32')).toBe('/x/hop/config.json');
  expect(settingsFile(env, 'linux')).toBe(join(homedir(), '.config', 'hop', 'config.json'));
});

it('keys are sent over https, or to this machine only', () => {
  expect(originOf('hop.example/settings')).toBe('https://hop.example');
  for (const local of ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])
    expect(originOf(`${local}/`)).toBe(local);
  for (const local of ['localhost:8787', '127.0.0.1:8787', '[::1]:8787'])
    expect(originOf(`${local}/settings`)).toBe(`http://${local}`);
  expect(originOf('localhost.example:8787')).toBe('https://localhost.example:8787');
  for (const address of ['http://hop.example', 'ftp://hop.example', 'https://', ''])
    expect(originOf(address)).toBeNull();
});

it('both settings can come from the environment', () => {
  const env = { XDG_CONFIG_HOME: '/nowhere', HOP_URL: 'hop.example', HOP_API_KEY: 'hop_live_x' };
  expect(readCliSettings(env)).toEqual({ origin: 'https://hop.example', key: 'hop_live_x' });
  expect(readCliSettings({ ...env, HOP_API_KEY: '' })).toBeNull();
});

it('the environment comes first, and a stored key goes to its own server only', () => {
  const env = newEnv();
  writeSettings(env, stored);
  expect(readCliSettings(env)).toEqual(stored);
  expect(readCliSettings({ ...env, HOP_URL: '', HOP_API_KEY: '' })).toEqual(stored);
  expect(readCliSettings({ ...env, HOP_URL: 'hop.example' })).toEqual(stored);
  expect(readCliSettings({ ...env, HOP_API_KEY: 'hop_live_x' })?.key).toBe('hop_live_x');
  expect(readCliSettings({ ...env, HOP_URL: 'https://other.example' })).toBeNull();
  expect(readCliSettings({ ...env, HOP_URL: 'http://hop.example' })).toBeNull();
});

it('a damaged settings file is like none', () => {
  const env = newEnv();
  mkdirSync(dirname(settingsFile(env)), { recursive: true });
  for (const text of ['', '{', 'null', '{"origin":"https://hop.example"}']) {
    writeFileSync(settingsFile(env), text);
    expect(readCliSettings(env)).toBeNull();
  }
});
