import { describe, expect, it } from 'vitest';
import { UTM_TEMPLATES_MAX } from '#contract/limits.ts';
import type { UtmTemplate, UtmTemplatesResponse } from '#contract/presets/utm-templates.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const save = (person: Person, json: unknown) =>
  call('/api/utm-templates', { json, headers: person.headers });
const list = async (person: Person): Promise<UtmTemplate[]> => {
  const response = await call('/api/utm-templates', { headers: person.headers });
  return (await response.json<UtmTemplatesResponse>()).templates;
};

describe('UTM templates', () => {
  it('templates are listed by name, replaced by name without case, and deleted', async () => {
    const person = await makePerson();
    expect(
      (await save(person, { name: ' Spring  mail ', source: 'news', campaign: 'Spring 1' })).status,
    ).toBe(201);
    await save(person, { name: 'ads', medium: 'cpc' });
    const replaced = await save(person, { name: 'Spring MAIL', source: 'letter' });
    const template = await replaced.json<UtmTemplate>();
    const empty = { source: '', medium: '', campaign: '', term: '', content: '' };
    expect(await list(person)).toEqual([
      { ...empty, id: expect.any(Number), name: 'ads', medium: 'cpc' },
      { ...empty, id: template.id, name: 'Spring MAIL', source: 'letter' },
    ]);
    const gone = await call(`/api/utm-templates/${template.id}`, {
      method: 'DELETE',
      headers: person.headers,
    });
    expect(gone.status).toBe(200);
    expect((await list(person)).map(({ name }) => name)).toEqual(['ads']);
    expect(await list(await makePerson())).toEqual([]);
  });

  it(`an account has at most ${UTM_TEMPLATES_MAX} templates, and can still replace each`, async () => {
    const person = await makePerson();
    const answers = await Promise.all(
      Array.from({ length: UTM_TEMPLATES_MAX + 3 }, (_, i) =>
        save(person, { name: `t${i}`, source: 'a' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    const templates = await list(person);
    expect(templates).toHaveLength(UTM_TEMPLATES_MAX);
    expect((await save(person, { name: templates[0]?.name, source: 'b' })).status).toBe(201);
  });
});
