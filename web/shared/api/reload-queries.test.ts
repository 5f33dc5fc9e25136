import { waitFor } from '@testing-library/react';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { reloadQueries } from './reload-queries.ts';

it('a first request from before the change does not replace what is stored after it', async () => {
  const queries = new QueryClient();
  let stored = 'before';
  const answers: (() => void)[] = [];
  const load = () => {
    const read = stored;
    return new Promise<string>((resolve) => answers.push(() => resolve(read)));
  };
  const observer = new QueryObserver(queries, { queryKey: ['list', 'filtered'], queryFn: load });
  const stop = observer.subscribe(() => undefined);
  stored = 'after';
  const reloaded = reloadQueries(queries, ['list']);
  await waitFor(() => expect(answers).toHaveLength(2));
  for (const answer of answers) answer();
  await reloaded;
  expect(observer.getCurrentResult().data).toBe('after');
  stop();
});
