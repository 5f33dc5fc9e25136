// The click event every floor with analytics sends: the raw facts of one request, nothing parsed.
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
