/** Serves every site under .example with one small page. `node e2e/support/elsewhere.ts PORT` */
import { createServer } from 'node:http';

createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(
    request.url === '/favicon.ico'
      ? ''
      : '<!doctype html><html lang="en"><title>Elsewhere</title><h1>Elsewhere</h1>',
  );
}).listen(Number(process.argv[2]), '127.0.0.1');
