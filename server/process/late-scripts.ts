const SCRIPT = /<script src="([^"]+)"([^>]*)><\/script>/g;
const PRELOAD = /<link rel="preload" as="script"[^>]*>/g;

/** What Next sends of a page that failed or is not there: nothing to paint, which its scripts fill. */
const EMPTY = '<html id="__next_error__"';

/**
 * Has a page's scripts fetched as soon as it is painted, and not before: on their way, while they are parsed and while
 * they run they hold up the first paint, for which none of them is needed. A page that nobody looks at, or a browser
 * that does not tell of paints, fetches them at once.
 */
export function lateScripts(html: string): string {
  const end = html.lastIndexOf("</body>");
  if (end < 0 || html.includes(EMPTY)) return html;
  const urls: string[] = [];
  let nonce = "";
  const rest = html
    .slice(0, end)
    .replaceAll(PRELOAD, "")
    .replaceAll(SCRIPT, (tag: string, url: string, attributes: string) => {
      if (!attributes.includes(' async=""')) return tag;
      nonce = / nonce="[^"]*"/.exec(attributes)?.[0] ?? "";
      urls.push(url);
      return "";
    });
  if (urls.length === 0) return html;
  return `${rest}<script${nonce}>${loader(urls)}</script>${html.slice(end)}`;
}

const loader = (urls: string[]) => `(() => {
  let urls = ${JSON.stringify(urls)};
  const load = () => {
    for (const src of urls) document.head.append(Object.assign(document.createElement("script"), { src, async: true }));
    urls = [];
  };
  if (document.hidden || !window.PerformanceObserver?.supportedEntryTypes?.includes("paint")) return load();
  new PerformanceObserver(load).observe({ type: "paint", buffered: true });
  // In case that something keeps the page from being painted at all.
  setTimeout(load, 1000);
})()`;
