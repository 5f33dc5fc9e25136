import { describe, expect, it } from 'vitest';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

describe('the notes before a deployment', () => {
  it('[T66] reminds of the length that the secret of a hosted project needs', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    const hosted = {
      SUPABASE_URL: 'https://project.example.com',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    };
    await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, ...hosted } });
    expect(owner.lines.join('\n')).not.toContain('SUPABASE_JWT_SECRET');
    platform.account.workers.get('hop-production')?.secrets.set('SUPABASE_JWT_SECRET', 'short');
    await owner.upgrade();
    expect(owner.lines.join('\n')).toContain(
      'SUPABASE_JWT_SECRET is set. It needs at least 32 bytes',
    );
  });
});
