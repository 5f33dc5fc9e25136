import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded } from '#worker/testing/sign-in.ts';

describe('guesses at the present password', () => {
  it('a session of a mailed link gets five answers a day, right or wrong', async () => {
    const { email, password } = await signInEmbedded();
    await call('/api/auth/v1/recover', { json: { email } }, EMBEDDED);
    const pressed = await pressLink((await mailsTo(email))[0]);
    const { access_token } = await pressed.json<{ access_token: string }>();
    const headers = { Authorization: `Bearer ${access_token}` };
    const guess = async () =>
      (await call('/api/auth/v1/user', { method: 'PUT', json: { password }, headers }, EMBEDDED))
        .status;
    const answers: number[] = [];
    for (let i = 0; i < 6; i += 1) answers.push(await guess());
    expect(answers).toEqual([422, 422, 422, 422, 422, 429]);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM dev_mails').first('n')).toBe(1);
  });
});
