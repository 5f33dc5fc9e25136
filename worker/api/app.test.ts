import { expect, test } from 'vitest';
import { call } from '#worker/testing/call.ts';

test('an unknown path under /api is a 404 in the one error shape', async () => {
  const response = await call('/api/nothing');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found', error: expect.any(String), requestId: expect.any(String) });
});

test('health answers', async () => {
  expect((await call('/api/health')).status).toBe(200);
});
