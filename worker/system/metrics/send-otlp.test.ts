import { describe, expect, it } from 'vitest';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { parseHeaders, sendOtlp } from './send-otlp.ts';

const SETTINGS = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example' };
/** Answers only when the request is aborted. */
const hanging: FetchFunction = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });

describe('sendOtlp', () => {
  it('gives up on a receiver that does not answer', async () => {
    expect(await sendOtlp(SETTINGS, {}, hanging, 5)).toEqual({
      outcome: 'later',
      error: 'TimeoutError',
    });
  });

  it('follows no redirect, so that the headers reach nobody else', async () => {
    const asked: (string | undefined)[] = [];
    const redirects: FetchFunction = async (_, init) => {
      asked.push(init?.redirect);
      return new Response(null, { status: 307, headers: { Location: 'https://else.example' } });
    };
    expect(await sendOtlp(SETTINGS, {}, redirects)).toEqual({
      outcome: 'refused',
      error: 'status 307',
    });
    expect(asked).toEqual(['manual']);
  });

  it('says nothing of the address or the headers when the connection fails', async () => {
    const failing: FetchFunction = () => Promise.reject(new Error('https://key@otlp.example'));
    expect(await sendOtlp(SETTINGS, {}, failing)).toEqual({ outcome: 'later', error: 'Error' });
  });
});

describe('parseHeaders', () => {
  it('reads names and percent-encoded values, and skips what is neither', () => {
    expect(parseHeaders('Authorization=Basic%20YQ==, a=b=c,,broken,x=100%')).toEqual({
      Authorization: 'Basic YQ==',
      a: 'b=c',
      x: '100%',
    });
    expect(parseHeaders('')).toEqual({});
  });
});
