import { runNamedPart } from '#scripts/shared/arguments.ts';

await runNamedPart(
  'npm run bench -- PART [arguments]',
  'Measures speed and cost. `npm run bench -- PART --help` says what a part takes.',
  {
    redirect: {
      run: 'bench/redirect.ts',
      about: 'redirects beside a bare Worker, CPU time of both',
    },
    'cold-start': { run: 'bench/cold-start.ts', about: 'the first redirect of a new process' },
    load: { run: 'bench/load.ts', about: 'a server under load; every count is compared' },
    'sign-ins': {
      run: 'bench/sign-ins.ts',
      about: 'redirects beside sign-ins, with hashes in their isolate and outside of it',
    },
    ingest: { run: 'bench/ingest.ts', about: 'counting clicks and reading reports' },
    lists: { run: 'bench/lists.ts', about: 'lists of large accounts beside small ones' },
    restore: {
      run: 'bench/restore.ts',
      about: 'a restore drill from an S3 copy into an empty account',
    },
  },
);
