import { OFFLINE } from '#web/ui/offline.ts';
import { UNREACHABLE } from './auth-api.ts';
import { config } from '#web/shared/page/config.ts';
import { accessToken } from '#web/shared/session/session.ts';

/**
 * Calls a route of the sign-in service as the member, or with another token. Throws its message with
 * its code, or that it could not be reached.
 */
export async function callAuth<T>(
  method: string,
  path: string,
  body?: object,
  bearer?: string,
): Promise<T> {
  const wasOnline = navigator.onLine;
  const response = await send(method, path, body, bearer).catch(() => {
    throw new Error(wasOnline ? UNREACHABLE : OFFLINE);
  });
  if (response.status === 204) return JSON.parse('null');
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  throw Object.assign(new Error(answer?.msg ?? UNREACHABLE), { code: answer?.error_code });
}

async function send(
  method: string,
  path: string,
  body?: object,
  bearer?: string,
): Promise<Response> {
  const token = bearer ?? (await accessToken());
  return fetch(`${config.auth.url}/auth/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
