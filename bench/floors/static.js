// Floor: nothing but the runtime. No storage, no event.
export default {
  fetch() {
    return new Response(null, {
      status: 302,
      headers: { location: 'https://example.com/landing' },
    });
  },
};
