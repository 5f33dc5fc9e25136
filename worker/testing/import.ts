import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import type {
  ImportCheckResponse,
  ImportRequest,
  ImportRequestRow,
  ImportResponse,
} from '#contract/files/import.ts';
import type { ListedLink, MyLinksResponse } from '#contract/links/links.ts';
import { call } from './call.ts';
import type { Person } from './make.ts';

export const newImportId = (): string => crypto.randomUUID();
export const postLinks = (person: Person, path: string, json: object) =>
  call(`/api/links/${path}`, { json, headers: person.headers });
export async function check(
  person: Person,
  rows: ImportRequestRow[],
  format = 'csv',
): Promise<ImportCheckResponse> {
  const response = await postLinks(person, 'import/check', { format, rows });
  expect(response.status).toBe(200);
  return response.json();
}
export async function importRows(
  person: Person,
  rows: ImportRequestRow[],
  options: Partial<Omit<ImportRequest, 'rows'>> = {},
): Promise<ImportResponse> {
  const response = await postLinks(person, 'import', {
    format: 'csv',
    id: newImportId(),
    collisions: 'skip',
    ...options,
    rows,
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}
export const verdicts = ({ lines }: ImportResponse | ImportCheckResponse) =>
  lines.map(({ verdict }) => verdict);
export const codesOf = ({ lines }: ImportResponse): (string | null)[] =>
  lines.map((line) => ('code' in line ? line.code : null));
export const linksOf = async (person: Person): Promise<ListedLink[]> =>
  (await (await call('/api/my-urls', { headers: person.headers })).json<MyLinksResponse>()).urls;
export const usageOf = (person: Person) =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1')
    .bind(person.id)
    .first<number>('n');
