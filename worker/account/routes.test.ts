import { expect, test } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

test('me says who the token is, with the role of the database', async () => {
  const admin = await makePerson({ role: 'admin' });
  const response = await call('/api/me', { headers: { ...admin.headers, 'x-user-id': crypto.randomUUID() } });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: admin.id, email: admin.email, role: 'admin' });
});

test('me is for members', async () => {
  expect((await call('/api/me')).status).toBe(401);
});
