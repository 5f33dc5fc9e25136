/** A `next` parameter as a path of this origin, or `fallback`: never another host, scheme or the sign-in page itself (decision 17). */
export function safeNext(next: string | null, origin: string, fallback = '/dashboard'): string {
  if (next === null || !next.startsWith('/') || /[\\\s]/.test(next)) return fallback;
  try {
    const url = new URL(next, origin);
    const isAuth = url.pathname === '/auth' || url.pathname.startsWith('/auth/');
    return url.origin === origin && !url.pathname.startsWith('//') && !isAuth ? url.pathname + url.search + url.hash : fallback;
  } catch {
    return fallback;
  }
}
