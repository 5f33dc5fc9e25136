import { expect, test } from 'vitest';
import { mailsTo, tab } from '#worker/testing/sign-in.ts';

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;

test('a sign-up waits for its mail, and the link signs in', async () => {
  const client = tab();
  const email = address();
  const { data, error } = await client.auth.signUp({ email, password: 'secret-1' });
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  expect(data.user?.identities).toHaveLength(1);
  expect(await mailsTo(email)).toHaveLength(1);
});
