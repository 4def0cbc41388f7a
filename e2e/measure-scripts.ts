import { get } from "node:http";

const known = new Map<string, number>();

/** The compressed bytes of the scripts that a page's HTML loads or preloads, and how many there are. */
export async function measureScripts(url: string, cookie: string): Promise<{ bytes: number; scripts: number }> {
  const html = await (await fetch(url, { headers: { cookie } })).text();
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  const found = tags
    // Browsers of these years leave out what is for those without modules.
    .filter((tag) => !/\bnomodule\b/i.test(tag) && (/^<script/.test(tag) || /as="script"|modulepreload/.test(tag)))
    .flatMap((tag) => /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? []);
  const scripts = new Set(found.map((path) => new URL(path, url).href));
  let bytes = 0;
  for (const script of scripts) bytes += await sizeOf(script);
  return { bytes, scripts: scripts.size };
}

/** As they come over the wire. */
async function sizeOf(url: string): Promise<number> {
  if (!known.has(url)) {
    known.set(
      url,
      await new Promise<number>((resolve, reject) => {
        const request = get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
          let bytes = 0;
          response.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => resolve(bytes));
        });
        request.on("error", reject);
      }),
    );
  }
  return known.get(url)!;
}
