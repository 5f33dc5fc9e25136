import { isMetadata } from '#worker/auth/service/user-json.ts';
import { shortenDetail } from './reasons.ts';

/**
 * What an error of the library says, without tokens, claims' values or text of the provider. The
 * library's own messages are constants; `cause` names the claim or header.
 */
export function describeFault(error: unknown): { isNetwork: boolean; detail: string } {
  if (!(error instanceof Error)) return { isNetwork: true, detail: 'unknown' };
  if (error.name === 'TimeoutError') return { isNetwork: true, detail: 'no answer in time' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // `fetch` and the limits of its answer throw errors without the library's codes.
  if (!code.startsWith('OAUTH_')) {
    const isNetwork = error instanceof TypeError;
    return { isNetwork, detail: shortenDetail(error.message) };
  }
  const named = 'error' in error && typeof error.error === 'string' ? error.error : '';
  if (named !== '') return { isNetwork: false, detail: shortenDetail(safeWord(named)) };
  const cause = isMetadata(error.cause) ? error.cause : {};
  const status =
    error.cause instanceof Response && error.cause.status !== 200
      ? ` (status ${error.cause.status})`
      : '';
  const about = [cause['claim'], cause['attribute']].find((name) => typeof name === 'string');
  const detail = about === undefined ? error.message : `${error.message} (${about})`;
  return { isNetwork: status.startsWith(' (status 5'), detail: shortenDetail(detail + status) };
}

/** An error code of RFC 6749 §5.2; anything else could be the provider's own text. */
const safeWord = (word: string): string =>
  /^[a-z0-9_.-]{1,60}$/i.test(word) ? word : 'unnamed error';
