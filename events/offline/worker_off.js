// Deletes what an earlier worker saved, and itself. Pages then come from the network alone.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const saved = caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))));
  event.waitUntil(saved.then(() => self.registration.unregister()));
});
