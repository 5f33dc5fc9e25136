import { expect, test } from 'vitest';

const SOURCES = import.meta.glob('/worker/**/*.ts', { query: '?raw', import: 'default', eager: true });

/** Who may call out at all, and to where: never to an address that a person typed (threat 8). */
const CALLERS: Record<string, string> = {
  '/worker/auth/hosted-user.ts': 'the hosted sign-in service, from the configuration',
  '/worker/abuse/turnstile.ts': 'the challenge service, a fixed address',
};

test('nothing fetches a target: only these files call out, and none of them is in links/ or redirect/', () => {
  const files = Object.entries(SOURCES).filter(([file]) => !/\.test\.ts$|^\/worker\/(testing|dev)\//.test(file));
  expect(files.length).toBeGreaterThan(80);
  const callers = files
    .filter(([, text]) => /(?<![.\w])fetch\(|\bconnect\(|new WebSocket\(|new EventSource\(/.test(String(text)))
    .map(([file]) => file);
  expect(callers.filter((file) => CALLERS[file] === undefined)).toEqual([]);
});
