import { config } from './config.ts';
import { accessToken } from './session.ts';

/**
 * Calls a route of the sign-in service as the member, or with another token. Throws its message with
 * its code.
 */
export async function callAuth<T>(
  method: string,
  path: string,
  body?: object,
  bearer?: string,
): Promise<T> {
  const token = bearer ?? (await accessToken());
  const response = await fetch(`${config.auth.url}/auth/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === 204) return JSON.parse('null');
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(String(answer.msg ?? '')), { code: answer.error_code });
}
