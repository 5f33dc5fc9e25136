import type { FetchFunction } from '#worker/http/fetch-function.ts';

export type OtlpSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_HEADERS?: string;
};

/**
 * `later`: the receiver is down or busy, so the same data may be sent again. `refused`: it would
 * refuse them again. `error` holds no address and no header.
 */
export type Sending = { outcome: 'sent' } | { outcome: 'later' | 'refused'; error: string };

const TIMEOUT_MS = 3_000;
/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Posts a request to the receiver. Never throws, and takes 3 seconds at most. */
export async function sendOtlp(
  settings: OtlpSettings,
  body: unknown,
  fetcher: FetchFunction,
  timeoutMs = TIMEOUT_MS,
): Promise<Sending> {
  try {
    const response = await fetcher(metricsUrl(settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''), {
      method: 'POST',
      headers: {
        ...parseHeaders(settings.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
      // A redirect could send the headers, which hold a secret, to somebody else.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return { outcome: 'sent' };
    const outcome = RETRYABLE.has(response.status) ? 'later' : 'refused';
    return { outcome, error: `status ${response.status}` };
  } catch (error) {
    return { outcome: 'later', error: error instanceof Error ? error.name : 'unknown' };
  }
}

/**
 * The address for metrics below the common endpoint
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp).
 */
const metricsUrl = (endpoint: string): string => `${endpoint.replace(/\/+$/, '')}/v1/metrics`;

/**
 * Reads `name=value,name2=value2` with percent-encoded values
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables).
 */
export function parseHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of text.split(',')) {
    const end = part.indexOf('=');
    const name = part.slice(0, Math.max(0, end)).trim();
    if (name !== '') headers[name] = decode(part.slice(end + 1).trim());
  }
  return headers;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
