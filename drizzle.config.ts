import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./worker/db/schema.ts', './worker/db/schema-clicks.ts', './worker/db/schema-auth.ts', './worker/db/schema-api.ts'],
  out: './migrations',
});
