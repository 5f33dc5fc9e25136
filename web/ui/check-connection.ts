export const CHECK_CONNECTION = 'Check your connection and try again.';
