import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

const SOURCES = globSync('worker/**/*.ts', {
  cwd: ROOT,
  exclude: ['**/*.test.ts', 'worker/testing/**'],
});

/**
 * The files that may send requests, and to which addresses. Only webhooks, the import from a server
 * and checks of destinations go to one that a person typed (SECURITY.md T43, T8).
 */
const ALLOWED: Record<string, string> = {
  'worker/auth/oidc/provider.ts': 'the company’s provider, from the configuration',
  'worker/auth/tokens/hosted-user.ts': 'the hosted sign-in service, from the configuration',
  'worker/safety/target-policy.ts':
    'passed to the reputation check, which asks the configured resolver about a host name',
  'worker/abuse/recheck-reputation.ts': 'the same check in a job',
  'worker/auth/routes.ts': 'passed to the captcha check, a fixed address in safety/turnstile.ts',
  'worker/webhooks/deliver.ts': 'passed to the sender of webhooks, which checks their host',
  'worker/webhooks/endpoint-requests.ts': 'passed to the reputation check, as above',
  'worker/domains/saas/tools.ts':
    'passed to the platform and to resolvers, fixed or configured addresses, about hosts of members',
  'worker/domains/saas/check-hosts.ts': 'the same in a job',
  'worker/links/import/routes.ts':
    'passed to the reader of another service, whose address a member typed and which checks it',
  'worker/watch/check-links.ts':
    'passed to the checks of watched destinations, which apply the link policy to every redirect',
  'worker/system/send-alert.ts': 'the webhook of alerts, whose address is in the configuration',
  'worker/system/metrics/deliver-metrics.ts':
    'passed to the sender of metrics, whose address is in the configuration',
  'worker/abuse/routes.ts': 'the captcha service, a fixed address in turnstile.ts',
};

describe('outgoing requests', () => {
  it('[T8] requests go only to fixed or configured addresses, or through checks of the host', () => {
    expect(SOURCES.length).toBeGreaterThan(80);
    const senders = SOURCES.filter((file) =>
      /(?<![.\w'])fetch\s*[(),]|\bconnect\(\{|new WebSocket\(|new EventSource\(/.test(
        readText(file),
      ),
    );
    expect(senders.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  });
});
