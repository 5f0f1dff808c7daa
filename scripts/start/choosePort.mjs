import { createServer } from 'node:net';

function listenOnce(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const { port: bound } = server.address();
      server.close(() => resolve(bound));
    });
  });
}

/**
 * Takes the wanted port if it is free, else another free one.
 *
 * @param {number} wanted 1 to 65535
 * @returns {Promise<{ port: number, isWanted: boolean }>}
 */
export async function choosePort(wanted, host = '127.0.0.1') {
  try {
    return { port: await listenOnce(wanted, host), isWanted: true };
  } catch (error) {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    return { port: await listenOnce(0, host), isWanted: false };
  }
}

/** Reads a port number as a person types it; undefined when it is none. */
export function parsePort(text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
