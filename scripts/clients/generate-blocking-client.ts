const REPLACEMENTS: [RegExp, string][] = [
  [
    /The client with awaited calls\./,
    "The client with blocking calls. Generated from async_client.py by `npm run clients`.",
  ],
  [/^import asyncio$/m, "import time"],
  [/asyncio\.sleep/g, "time.sleep"],
  [/AsyncIterator, Dict, /, "Dict, Iterator, "],
  [/AsyncIterator/g, "Iterator"],
  [/AsyncGenerationHub/g, "GenerationHub"],
  [/httpx\.AsyncClient/g, "httpx.Client"],
  [/__aenter__/g, "__enter__"],
  [/__aexit__/g, "__exit__"],
  [/aclose/g, "close"],
  [/aread/g, "read"],
  [/aiter_bytes/g, "iter_bytes"],
  [/async (def|for)/g, "$1"],
  [/await /g, ""],
];

/** Returns the Python client with blocking calls, made from the one with awaited calls, so that both stay the same. */
export function generateBlockingClient(awaited: string): string {
  return REPLACEMENTS.reduce((code, [pattern, replacement]) => code.replace(pattern, replacement), awaited);
}
