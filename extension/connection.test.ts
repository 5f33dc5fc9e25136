import { describe, expect, it } from 'vitest';
import { lacksScope } from './connection.ts';

describe('lacksScope', () => {
  it('a key that reads links, and writes or creates them, is enough', () => {
    expect(lacksScope(['links:read', 'links:write'])).toBeNull();
    expect(lacksScope(['links:read', 'links:create'])).toBeNull();
  });

  it('names the scopes that a key needs', () => {
    const sentence = 'Create one with the scopes “Read links” and “Write links”.';
    expect(lacksScope(['links:create'])).toContain(sentence);
    expect(lacksScope(['links:read', 'analytics:read'])).toContain(sentence);
  });
});
