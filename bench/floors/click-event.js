// The event of one click: the raw facts of its request, not parsed.
export function clickEvent(code, request) {
  const h = request.headers;
  const cf = request.cf;
  return {
    code,
    at: Date.now(),
    ua: h.get('user-agent') ?? '',
    ref: h.get('referer') ?? '',
    lang: h.get('accept-language') ?? '',
    country: cf?.country ?? '',
    city: cf?.city ?? '',
  };
}
