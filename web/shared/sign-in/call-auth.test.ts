import { afterEach, describe, expect, it, vi } from 'vitest';
import { OFFLINE } from '#web/ui/offline.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { UNREACHABLE } from './auth-api.ts';
import { callAuth } from './call-auth.ts';

const PATH = 'GET /api/auth/v1/factors';
const call = () => callAuth('GET', '/factors', undefined, 'token');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('callAuth', () => {
  it.each([
    ['a page in place of JSON', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['null', () => Response.json(null, { status: 500 })],
    ['no message', () => Response.json({ code: 500 }, { status: 500 })],
    ['a page with 200', () => new Response('<h1>Sign in to the network</h1>')],
  ])('says that the service could not be reached after %s', async (_, answer) => {
    serveRoutes({ [PATH]: answer });
    await expect(call()).rejects.toThrow(UNREACHABLE);
  });

  it.each([
    [true, UNREACHABLE],
    [false, OFFLINE],
  ])('explains a request that failed with navigator.onLine %s', async (onLine, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(call()).rejects.toThrow(text);
  });

  it('throws the message of the service with its code', async () => {
    serveRoutes({
      [PATH]: () => Response.json({ code: 403, error_code: 'x', msg: 'No.' }, { status: 403 }),
    });
    await expect(call()).rejects.toMatchObject({ message: 'No.', code: 'x' });
  });
});
