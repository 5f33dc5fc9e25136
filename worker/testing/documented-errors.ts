import { problem } from '#contract/v1/v1-problem.ts';
import { COMMON } from '#worker/api/v1/operation.ts';
import { OPERATIONS } from '#worker/api/v1/operations.ts';

const PATTERNS = Object.entries(OPERATIONS).map(([route, { errors }]) => ({
  route: new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`),
  literal: route,
  codes: new Set([...COMMON, ...errors]),
}));

/** Throws for an error that the OpenAPI document does not list for the operation. */
export async function requireDocumented(
  method: string,
  path: string,
  response: Response,
): Promise<void> {
  if (response.status < 400) return;
  const called = `${method} ${path.split('?')[0]}`;
  const operation =
    PATTERNS.find(({ literal }) => literal === called) ??
    PATTERNS.find(({ route }) => route.test(called));
  if (operation === undefined) return;
  const { code } = problem.parse(await response.clone().json());
  if (!operation.codes.has(code))
    throw new Error(`${operation.literal} answers ${code}, which its entry in OPERATIONS lacks.`);
}
