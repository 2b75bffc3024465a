// Passes requests on to the server on this machine and shows its token, for clients that can't. Everything else is left as it
// is, but for the name of the host where it is the proxy's own: what is foreign stays foreign.
// Usage: node proxy.mjs PORT     The proxy's own port is printed.
import http from 'node:http';

const target = Number(process.argv[2]);
const proxy = http.createServer((request, response) => {
  const own = proxy.address().port;
  const named = (text) => text?.replace(`:${own}`, `:${target}`);
  const headers = { ...request.headers, authorization: `Bearer ${process.env.TWICESHY_MCP_TOKEN}` };
  headers.host = named(headers.host);
  if (headers.origin) headers.origin = named(headers.origin);
  const passed = http.request(
    { host: '127.0.0.1', port: target, method: request.method, path: request.url, headers },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
});
proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port));
