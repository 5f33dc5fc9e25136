import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImportRequest } from '#contract/files/import.ts';
import { useIndexedDb } from '#web/testing/indexed-db.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { loadImport, saveLines, type ImportJob } from './stored-import.ts';
import { useImport } from './use-import.ts';

const JOB: ImportJob = {
  id: 'job',
  userId: 'ann',
  format: 'csv',
  formatName: 'CSV',
  collisions: 'skip',
  rows: Array.from({ length: 250 }, (_, at) => ({ line: at + 1, url: `https://a.example/${at}` })),
  state: 'running',
};

let database: ReturnType<typeof useIndexedDb>;
beforeEach(() => {
  database = useIndexedDb();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const linesOf = (body: unknown): number[] => {
  const { rows }: ImportRequest = JSON.parse(JSON.stringify(body));
  return rows.map(({ line }) => line);
};
/**
 * Creates every link of a request but the first row's, and those on the lines `over`, which the
 * quota does not hold.
 */
const create = (body: unknown, over: number[] = []) => ({
  lines: linesOf(body).map((line) =>
    over.includes(line)
      ? { line, verdict: 'over_quota', error: 'No room.' }
      : line === 1
        ? { line, verdict: 'rejected', error: 'Blocked.' }
        : { line, verdict: 'created', code: `c${line}` },
  ),
});

function open(userId = 'ann') {
  const client = new QueryClient();
  const reload = vi.spyOn(client, 'invalidateQueries');
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  const hook = renderHook(() => useImport(userId), { wrapper });
  const state = () => hook.result.current.current?.job.state;
  const count = () => hook.result.current.current?.lines.size;
  return { ...hook, reload, state, count };
}

describe('useImport', () => {
  it('imports all rows, stores their verdicts and reloads what shows links', async () => {
    const sent: number[] = [];
    serve(({ body }) => {
      sent.push(...linesOf(body));
      return create(body);
    });
    const { result, state, count, reload } = open();
    await waitFor(() => expect(result.current.current).toBeNull());
    act(() => result.current.start(JOB));
    await waitFor(() => expect(state()).toBe('done'));
    expect([sent.length, count()]).toEqual([250, 250]);
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    const stored = await loadImport('ann');
    expect([stored?.job.state, stored?.lines.length]).toEqual(['done', 250]);
    expect(await loadImport('bob')).toBeNull();
    await waitFor(() => expect(database.state.connections).toBe(0));
  });

  it('stops after the request that runs, and resumes with the rows that are left', async () => {
    const requests: number[][] = [];
    let respond = (): void => undefined;
    serve(async ({ body }) => {
      requests.push(linesOf(body));
      if (requests.length === 2) await new Promise<void>((resolve) => (respond = resolve));
      return create(body);
    });
    const { result, state, count } = open();
    await waitFor(() => expect(result.current.current).toBeNull());
    act(() => result.current.start(JOB));
    await waitFor(() => expect(requests).toHaveLength(2));
    act(() => void result.current.pause());
    const done = requests[0]?.length;
    await act(async () => respond());
    expect([state(), count(), requests.length]).toEqual(['paused', done, 2]);
    act(() => void result.current.resume());
    await waitFor(() => expect(state()).toBe('done'));
    expect(requests[2]?.[0]).toBe(requests[1]?.[0]);
    expect(count()).toBe(250);
  });

  it('a request that fails after the stop changes nothing', async () => {
    let fail: (() => void) | undefined;
    serve(async () => {
      await new Promise<void>((resolve) => (fail = resolve));
      return rejection(400, 'No longer accepted.');
    });
    const { result, state } = open();
    await waitFor(() => expect(result.current.current).toBeNull());
    act(() => result.current.start(JOB));
    await waitFor(() => expect(fail).toBeDefined());
    act(() => void result.current.pause());
    act(() => void result.current.finish());
    await act(async () => fail?.());
    expect([state(), result.current.current?.error]).toEqual(['done', '']);
  });

  it('continues when the page opens again, and sends rows over the quota once more', async () => {
    serve(({ body }) => create(body, [7]));
    const first = open();
    await waitFor(() => expect(first.result.current.current).toBeNull());
    act(() => first.result.current.start(JOB));
    await waitFor(() => expect(first.state()).toBe('done'));
    first.unmount();
    const sent: number[] = [];
    serve(({ body }) => {
      sent.push(...linesOf(body));
      return create(body);
    });
    const { result, state } = open();
    await waitFor(() => expect(state()).toBe('done'));
    expect(result.current.current?.lines.get(7)?.verdict).toBe('over_quota');
    act(() => void result.current.resume());
    await waitFor(() => expect(sent).toEqual([7]));
    await waitFor(() => expect(state()).toBe('done'));
    expect(result.current.current?.lines.get(7)?.verdict).toBe('created');
    const stored = await loadImport('ann');
    expect(new Map(stored?.lines.map((line) => [line.line, line.verdict])).get(7)).toBe('created');
  });

  it('shows why an import stopped, and reloads what shows links', async () => {
    serve(() => rejection(403, 'Your account is suspended.'));
    const { result, state, reload } = open();
    await waitFor(() => expect(result.current.current).toBeNull());
    act(() => result.current.start(JOB));
    await waitFor(() => expect(state()).toBe('paused'));
    expect(result.current.current?.error).toBe('Your account is suspended.');
    expect(reload).toHaveBeenCalledOnce();
    expect((await loadImport('ann'))?.job.state).toBe('paused');
  });

  it('an import that is discarded leaves nothing in the browser', async () => {
    serve(({ body }) => create(body));
    const { result, state } = open();
    await waitFor(() => expect(result.current.current).toBeNull());
    act(() => result.current.start(JOB));
    await waitFor(() => expect(state()).toBe('done'));
    act(() => result.current.discard());
    expect(result.current.current).toBeNull();
    await waitFor(() => expect(database.records('lines')).toEqual([]));
    expect(database.records('jobs')).toEqual([]);
  });

  it('a later verdict on a row replaces the earlier one, whatever its request', async () => {
    const over = [{ line: 7, verdict: 'over_quota', error: '' } as const];
    serve(({ body }) => create(body));
    const { result, state } = open();
    await waitFor(() => expect(result.current.current).toBeNull());
    act(() => result.current.start({ ...JOB, state: 'done' }));
    await waitFor(() => expect(state()).toBe('done'));
    await saveLines(JOB, over);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await saveLines(JOB, [
      { line: 3, verdict: 'exists', code: 'b' },
      { line: 7, verdict: 'created', code: 'a' },
    ]);
    const stored = (await loadImport('ann'))?.lines ?? [];
    expect(stored.map(({ line, verdict }) => `${line} ${verdict}`)).toEqual([
      '7 over_quota',
      '3 exists',
      '7 created',
    ]);
  });
});
