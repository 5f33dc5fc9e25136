import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  changeHosts,
  environment,
  findInvalidVars,
  hostsOf,
  isSignInHosted,
  readSettings,
} from './environment.ts';
import { newFolder } from './testing/machine.ts';

it.each([
  [{ APP_ORIGIN: 'https://hop.example' }, []],
  [{ APP_ORIGIN: '', SHORT_ORIGIN: 'https://s.example:8443' }, []],
  [{ APP_ORIGIN: 'https://hop.example/' }, ['APP_ORIGIN must be an origin']],
  [{ APP_ORIGIN: 'http://hop.example' }, ['APP_ORIGIN must be an origin']],
  [{ SHORT_ORIGIN: 'https://hop.example/s' }, ['SHORT_ORIGIN must be an origin']],
  [{ SHORT_ORIGIN: 'hop.example' }, ['SHORT_ORIGIN must be an origin']],
  [{ NOTHING: '1' }, ['NOTHING is not a variable']],
  [{ AUTH_SECRET: 'x' }, ['AUTH_SECRET is a secret. Remove it']],
  [{ APP_ORIGIN: 'https://hop.example', SHORT_HOSTS: 'go.example, s.example' }, []],
  [{ SHORT_HOSTS: 'https://go.example' }, ['is not a host such as']],
  [{ APP_ORIGIN: 'https://hop.example', SHORT_HOSTS: 'hop.example' }, ['SHORT_HOSTS names hop']],
  [{ SHORT_ORIGIN: 'https://s.example', SHORT_HOSTS: 's.example' }, ['SHORT_HOSTS names s.ex']],
  [{ EXTRA_HOSTS: 'old.example', SHORT_HOSTS: 'old.example' }, ['SHORT_HOSTS names old.ex']],
  [{ SHORT_HOSTS: 'hop.a.workers.dev' }, ['SHORT_HOSTS names hop.a.workers.dev']],
  [{ CLICK_QUEUES: '20' }, []],
  [{ CLICK_QUEUES: '0' }, ['CLICK_QUEUES must be a number']],
  [{ CLICK_QUEUES: '21' }, ['CLICK_QUEUES must be a number']],
  [{ CLICK_QUEUES: '2.5' }, ['CLICK_QUEUES must be a number']],
  [{ PRICES: 'INR 500/5000, USD 6/60' }, []],
  [{ PRICES: 'INR 500, USD 6/60' }, ['PRICES must be prices such as']],
  [{ MAIL_FROM: 'hop@hop.example' }, []],
  [{ MAIL_FROM: 'Hop <hop@hop.example>' }, []],
  [{ MAIL_FROM: 'Hop <hop@hop.example' }, ['MAIL_FROM must be an address']],
  [{ MAIL_FROM: 'hop' }, ['MAIL_FROM must be an address']],
])('the variables %j have the problems %j', (vars, problems) => {
  expect(findInvalidVars({ vars })).toEqual(
    problems.map((problem) => expect.stringContaining(problem)),
  );
});

it('the hosts are those of both origins and the extra ones, each once', () => {
  const vars = {
    APP_ORIGIN: 'https://hop.example',
    SHORT_ORIGIN: 'https://hop.example',
    EXTRA_HOSTS: 'old.example, hop.example  older.example',
  };
  expect(hostsOf({ vars })).toEqual(['hop.example', 'old.example', 'older.example']);
  expect(hostsOf({ vars: { ...vars, SHORT_HOSTS: 'go.example, s.example' } })).toEqual([
    'hop.example',
    'old.example',
    'older.example',
    'go.example',
    's.example',
  ]);
  expect(hostsOf({ vars: { APP_ORIGIN: 'https://hop.example', SHORT_ORIGIN: '' } })).toEqual([
    'hop.example',
  ]);
});

it('hosts are added and removed without changing others', () => {
  const vars = { EXTRA_HOSTS: 'a.example, b.example', SHORT_HOSTS: 'go.example, s.example' };
  expect(changeHosts(vars, [], [])).toBe(vars);
  expect(changeHosts(vars, ['c.example', 'a.example'], ['b.example', 's.example'])).toEqual({
    EXTRA_HOSTS: 'a.example c.example',
    SHORT_HOSTS: 'go.example',
  });
  expect(changeHosts({}, ['c.example'], [])).toEqual({ EXTRA_HOSTS: 'c.example' });
});

it('a sign-in project is hosted only with its URL and its key', () => {
  const hosted = { SUPABASE_URL: 'https://p.example', SUPABASE_PUBLISHABLE_KEY: 'key' };
  expect(isSignInHosted(hosted)).toBe(true);
  for (const name of Object.keys(hosted))
    expect(isSignInHosted({ ...hosted, [name]: '' })).toBe(false);
});

it.each(['a', 'a'.repeat(20), 'staging2'])('an environment can be called %s', (name) => {
  expect(environment(name).name).toBe(name);
});
it.each(['', 'a'.repeat(21), '2nd', 'my-env', 'Prod', '../x'])(
  'an environment cannot be called “%s”',
  (name) => expect(() => environment(name)).toThrow('1 to 20 lower-case letters'),
);

it('damaged settings stop a deployment instead of being taken for none', () => {
  const place = environment('test', newFolder());
  expect(readSettings(place)).toBeNull();
  for (const text of ['', '{}', '{"vars":{},"other":1}', '{"vars":{"A":1}}']) {
    writeFileSync(place.settingsFile, text);
    expect(() => readSettings(place)).toThrow(`${place.settingsFile} is not valid.`);
  }
});
