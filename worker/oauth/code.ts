import { MCP_PATH } from '#contract/pages/paths.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';

/** Returns what a code is bound to: the app and the values with which it asked. */
export const bindingOf = (clientId: string, redirectUri: string, challenge: string): string =>
  hashToken(JSON.stringify([clientId, redirectUri, challenge]));

/** True for our MCP server, and for a request that names no resource (RFC 8707 §2). */
export const isResource = (resource: string | undefined, issuer: string): boolean =>
  resource === undefined || resource.replace(/\/$/, '') === issuer + MCP_PATH;
