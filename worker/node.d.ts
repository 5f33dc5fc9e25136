// The four Node modules that the Worker uses (nodejs_compat), without the rest of Node's types:
// `process` and `fs` do not exist here.
/// <reference path="../node_modules/@types/node/buffer.d.ts" />
/// <reference path="../node_modules/@types/node/buffer.buffer.d.ts" />
/// <reference path="../node_modules/@types/node/crypto.d.ts" />
/// <reference path="../node_modules/@types/node/url.d.ts" />
/// <reference path="../node_modules/@types/node/zlib.d.ts" />
