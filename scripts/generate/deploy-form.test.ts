import { describe, expect, it } from 'vitest';
import { readBaseConfig } from '#scripts/deploy/worker-config.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { VARIABLES } from './configuration.ts';
import { askedSecrets, formDescriptions, withFormDescriptions } from './deploy-form.ts';

describe('the form of the Deploy to Cloudflare button', () => {
  const { vars, d1_databases, kv_namespaces, r2_buckets = [], queues } = readBaseConfig();
  const bindings = [d1_databases, kv_namespaces, r2_buckets, queues.producers].flat();

  it('describes every field, in package.json: run `npm run generate -- docs`', () => {
    expect(Object.keys(formDescriptions()).toSorted()).toEqual(
      [
        ...Object.keys(vars),
        ...askedSecrets(),
        ...bindings.map((binding) => ('binding' in binding ? binding.binding : '')),
      ].toSorted(),
    );
    const text = readText('package.json');
    expect(text).toBe(withFormDescriptions(text));
  });

  it('describes no field with a link that leads nowhere in the dashboard', () => {
    expect(JSON.stringify(formDescriptions())).not.toMatch(/\]\((?!https:)/);
  });

  it('asks for secrets only, and suggests no value that installations could share', () => {
    const secrets = VARIABLES.filter((variable) => 'secret' in variable).map(({ name }) => name);
    expect(secrets).toEqual(expect.arrayContaining(askedSecrets()));
    expect(askedSecrets()).toEqual(['ADMIN_CLAIM']);
    expect(readText('.dev.vars.example')).not.toMatch(/^\w+=./m);
  });
});
