/**
 * Short URLs in pictures are those of a host that README.md also names, instead of a port of the
 * machine that took them.
 */
export const PICTURE_HOST = 'hop.example';

/** Arguments for `withProduct`. */
export const pictureVars: readonly string[] = ['--var', `SHORT_ORIGIN:http://${PICTURE_HOST}`];

/** Arguments for the browser, which finds that host at the product's port. */
export const pictureArgs = (origin: string): readonly string[] => [
  `--host-resolver-rules=MAP ${PICTURE_HOST} 127.0.0.1:${new URL(origin).port}`,
];
