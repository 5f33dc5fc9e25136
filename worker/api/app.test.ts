import { describe, expect, it, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';

describe('API', () => {
  it('returns 404 as JSON for an unknown path', async () => {
    const response = await call('/api/nothing');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'not_found',
      error: expect.any(String),
      requestId: expect.any(String),
    });
  });

  it('ignores the request id of the client', async () => {
    const response = await call('/api/health', {
      headers: { 'X-Request-Id': 'chosen-by-the-client' },
    });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('returns 500 for every call but the health check without AUTH_SECRET', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const overrides = { AUTH_SECRET: '' };
    expect((await call('/api/blogs?before=1', {}, overrides)).status).toBe(500);
    expect((await call('/api/nothing', {}, overrides)).status).toBe(500);
    expect((await call('/api/health', {}, overrides)).status).toBe(200);
    expect(log.mock.calls.flat().join()).toContain('AUTH_SECRET');
    log.mockRestore();
  });

  it('answers the health check', async () => {
    expect((await call('/api/health')).status).toBe(200);
  });
});
