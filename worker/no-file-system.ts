/**
 * Replaces `fs`, which qrcode-svg requires but never uses here. A module that is required runs as a
 * function, so node-modules.ts cannot be this one.
 */
export default {};
