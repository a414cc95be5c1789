"""Pages without network: the service worker, the addresses that it saves, the manifest and its icons."""
