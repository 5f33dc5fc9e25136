// The four Node modules that the Worker uses (nodejs_compat), without the rest of Node's types:
// `fs` does not exist here, and of `process` only what loads a module.
/// <reference path="../node_modules/@types/node/buffer.d.ts" />
/// <reference path="../node_modules/@types/node/buffer.buffer.d.ts" />
/// <reference path="../node_modules/@types/node/crypto.d.ts" />
/// <reference path="../node_modules/@types/node/url.d.ts" />
/// <reference path="../node_modules/@types/node/zlib.d.ts" />
declare const process: {
  getBuiltinModule(name: 'node:crypto'): typeof import('node:crypto');
  getBuiltinModule(name: 'node:url'): typeof import('node:url');
  getBuiltinModule(name: 'node:zlib'): typeof import('node:zlib');
};
