import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';

describe('API', () => {
  it('returns 404 as JSON for an unknown path', async () => {
    const response = await call('/api/nothing');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found', error: expect.any(String), requestId: expect.any(String) });
  });

  it('answers the health check', async () => {
    expect((await call('/api/health')).status).toBe(200);
  });
});
