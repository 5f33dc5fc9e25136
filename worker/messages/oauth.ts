/** `error_description` of OAuth's errors, for the developers of an app (RFC 6749 §5.2). */
export const OAUTH_ERRORS = {
  invalid_client_metadata:
    'redirect_uris must have 1 to 10 addresses. Together with client_name they can have 2,000 characters.',
  invalid_redirect_uri:
    'A redirect URI is an https address of a public host, or an http address of localhost, 127.0.0.1 or [::1]. It has no fragment and at most 500 characters.',
  invalid_client: 'This client_id is unknown. Register the app again.',
  invalid_request:
    'Send code, redirect_uri, client_id and code_verifier as application/x-www-form-urlencoded.',
  unsupported_grant_type: 'Only authorization_code is supported.',
  invalid_target: 'resource must be the address of the MCP server.',
  invalid_grant:
    'The code has expired, was used before, or belongs to another client, redirect URI or code_verifier.',
} as const;

export type OauthError = keyof typeof OAUTH_ERRORS;
