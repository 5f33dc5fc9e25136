import { runNamedPart } from '#scripts/shared/arguments.ts';

await runNamedPart(
  'npm run generate -- PART [arguments]',
  'Writes a file that is made from another one.',
  {
    docs: {
      run: 'scripts/generate/write-configuration.ts',
      about: 'the tables of docs/configuration.md',
    },
    client: {
      run: 'scripts/generate/write-client.ts',
      about: 'cli/api.d.ts, from the OpenAPI document',
    },
    types: {
      run: [
        'wrangler',
        'types',
        'worker/env.d.ts',
        '--include-runtime=false',
        '--strict-vars=false',
        '--env-file',
        '/dev/null',
      ],
      about: 'worker/env.d.ts, from wrangler.toml; --check only compares',
    },
    migration: {
      run: ['drizzle-kit', 'generate'],
      about: 'a migration for what changed in the schema: --name NAME',
    },
    map: {
      run: 'scripts/generate/write-world-map.ts',
      about: 'the maps of Analytics and of live clicks',
    },
    pictures: { run: 'e2e/pictures.ts', about: 'the pictures of README.md and docs/' },
    film: { run: 'e2e/film.ts', about: 'the film of README.md: a link and its first click' },
    screenshots: { run: 'e2e/screenshots.ts', about: 'every page in every state, not committed' },
  },
);
