// Keeps the app on the phone: it opens without a network, and a new build takes over only when the user says so.

declare const self: ServiceWorkerGlobalScope;
/** Files of this build, filled in by the bundler. */
declare const PRECACHE: readonly string[];
/** Names this build. */
declare const BUILD: string;

const cacheName = `terminull-${BUILD}`;
const page = '/';

self.addEventListener('install', event => {
  event.waitUntil(caches.open(cacheName).then(cache => cache.addAll([page, ...PRECACHE])));
});

self.addEventListener('activate', event => {
  event.waitUntil(forgetOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener('message', event => {
  if (event.data === 'takeOver') void self.skipWaiting();
});

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  // The API, and whatever is not ours, is never answered from a cache.
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.startsWith('/v1/'))
    return;
  if (request.mode === 'navigate' && url.pathname === page) event.respondWith(fromCache(page, request));
  else if (PRECACHE.includes(url.pathname)) event.respondWith(fromCache(url.pathname, request));
});

/** One build at a time: a page of this build never meets a script of another. */
async function fromCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

async function forgetOldBuilds(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith('terminull-') && name !== cacheName) await caches.delete(name);
  }
}

export {};
