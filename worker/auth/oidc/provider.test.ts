import { describe, expect, it } from 'vitest';
import { RECORDED } from '#worker/testing/oidc-metadata.ts';
import { describeFault } from './describe-fault.ts';
import { loadLibrary, parseMetadata } from './provider.ts';

const parse = async (issuer: string, metadata: Record<string, unknown>) =>
  parseMetadata(await loadLibrary(), issuer, Response.json(metadata));

describe('parseMetadata', () => {
  it.each(Object.entries(RECORDED))('reads those of %s', async (_, { issuer, metadata }) => {
    const server = await parse(issuer, metadata);
    for (const member of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      expect(server[member]).toBe(metadata[member]);
    expect(server.end_session_endpoint).toBe(metadata['end_session_endpoint']);
    const algorithms = server.id_token_signing_alg_values_supported ?? [];
    expect(algorithms).toContain('RS256');
    expect(algorithms.filter((name) => name === 'none' || name.startsWith('HS'))).toEqual([]);
  });

  it.each([
    ['Authentik', 'https://auth.acme.example/application/o/hop'],
    ['Keycloak', 'https://sso.acme.example/realms/acme/'],
  ])('needs the issuer of %s with the same slash at the end', async (name, issuer) => {
    await expect(parse(issuer, RECORDED[name]?.metadata ?? {})).rejects.toThrow(/issuer/);
  });

  it('[A22] refuses the metadata that Entra serves for every tenant', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const template = 'https://login.microsoftonline.com/{tenantid}/v2.0';
    const metadata = { ...RECORDED['Entra']?.metadata, issuer: template };
    await expect(parse(issuer, metadata)).rejects.toThrow(/issuer/);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'refuses metadata without %s',
    async (member) => {
      const { issuer = '', metadata } = RECORDED['Google'] ?? {};
      await expect(parse(issuer, { ...metadata, [member]: undefined })).rejects.toThrow(member);
    },
  );

  it('[A22] accepts only RS256 where the provider offers nothing but shared keys', async () => {
    const { issuer = '', metadata } = RECORDED['Authentik'] ?? {};
    const server = await parse(issuer, {
      ...metadata,
      id_token_signing_alg_values_supported: ['HS256', 'none'],
    });
    expect(server.id_token_signing_alg_values_supported).toEqual(['RS256']);
  });
});

describe('describeFault', () => {
  it('repeats an error code of the provider, and none of its text', () => {
    const detailOf = (error: string): string =>
      describeFault(Object.assign(new Error('x'), { code: 'OAUTH_X', error })).detail;
    expect(detailOf('invalid_grant')).toBe('invalid_grant');
    expect(detailOf('ann@acme.example is unknown')).toBe('unnamed error');
  });
});
