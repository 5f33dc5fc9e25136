import { expect, test } from 'vitest';

const SOURCES = import.meta.glob('/worker/**/*.ts', { query: '?raw', import: 'default', eager: true });

/** Who may call out at all, and to where: never to an address that a person typed (threat 8). */
const CALLERS: Record<string, string> = {
  '/worker/auth/tokens/hosted-user.ts': 'the hosted sign-in service, from the configuration',
  '/worker/links/routes.ts': 'handed to the reputation check, which asks the configured resolver about a host name',
  '/worker/abuse/recheck-reputation.ts': 'the same check, later',
  '/worker/auth/routes.ts': 'handed to the captcha check, a fixed address in abuse/turnstile.ts',
  '/worker/abuse/routes.ts': 'the challenge service, a fixed address in turnstile.ts',
};

test('nothing fetches a target: only these files call out, and to fixed or configured addresses', () => {
  const files = Object.entries(SOURCES).filter(([file]) => !/\.test\.ts$|^\/worker\/(testing|dev)\//.test(file));
  expect(files.length).toBeGreaterThan(80);
  const callers = files
    .filter(([, text]) => /(?<![.\w'])fetch\s*[(),]|\bconnect\(|new WebSocket\(|new EventSource\(/.test(String(text)))
    .map(([file]) => file);
  expect(callers.filter((file) => CALLERS[file] === undefined)).toEqual([]);
});
