import { afterEach, describe, expect, it, vi } from 'vitest';
import { dropEarlyResponses, takeEarlyResponse } from './early-responses.ts';

afterEach(() => {
  vi.useRealTimers();
  window.hopResponses = undefined;
});

describe('early responses', () => {
  it('early responses are used once, whatever the time in the path', async () => {
    expect(takeEarlyResponse('/api/me')).toBeUndefined();
    const response = new Response('{}');
    window.hopResponses = { '/api/subscription?t=': Promise.resolve(response) };
    expect(takeEarlyResponse('/api/subscription')).toBeUndefined();
    expect(await takeEarlyResponse('/api/subscription?t=17')).toBe(response);
    expect(takeEarlyResponse('/api/subscription?t=18')).toBeUndefined();
  });

  it('early responses are cancelled a second after the application has started', async () => {
    vi.useFakeTimers();
    const response = new Response('{}');
    const cancel = vi.spyOn(response.body ?? new ReadableStream(), 'cancel');
    window.hopResponses = { '/api/me': Promise.resolve(response) };
    dropEarlyResponses();
    expect(window.hopResponses).toBeDefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(window.hopResponses).toBeUndefined();
    expect(cancel).toHaveBeenCalledOnce();
  });
});
