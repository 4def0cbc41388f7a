import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { SharedOutput } from "../../domain/shares";
import type { AppError } from "../../errors";
import { HUB_NAME } from "../../lib/hub-name";
import { sharedKindOf } from "./file";

/** The colors are those of app/globals.css, a file that only the pages of Next can load. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fafaf9, #0e1113);
  --raised: light-dark(#ffffff, #15191c);
  --sunken: light-dark(#f1f3f2, #1c2125);
  --ink: light-dark(#15191d, #eceff0);
  --soft: light-dark(#525c66, #9fabb3);
  --line: light-dark(#e1e5e4, #2a3136);
  --accent: light-dark(#0f766e, #5eead4);
  --on-accent: light-dark(#ffffff, #06251f);
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { flex: 1; width: 100%; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; }
figure { margin: 0; display: grid; place-items: center; overflow: hidden; background: var(--sunken);
  border: 1px solid var(--line); border-radius: .75rem; min-height: 6rem; }
img, video { display: block; max-width: 100%; max-height: 75dvh; }
audio { width: calc(100% - 2rem); }
figure p { margin: 0; padding: 1rem; color: var(--soft); }
dl { margin: 1.25rem 0; display: grid; gap: .75rem; }
dt { font-size: .8125rem; color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
a { color: var(--accent); }
.download { display: inline-block; padding: .625rem 1rem; border-radius: .5rem; background: var(--accent);
  color: var(--on-accent); font-weight: 500; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
footer { padding: 1rem; text-align: center; font-size: .8125rem; color: var(--soft); border-top: 1px solid var(--line); }
`;

// Not a part of the template below: its hash would depend on how that is indented.
const styleElement = raw(`<style>${STYLE}</style>`);

/** Allows the page its file, its own style and nothing else; no script. */
export const pagePolicy = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface SharePage extends SharedOutput {
  modelName: string;
  /** The address of the page. */
  url: string;
}

const nouns = { image: "Picture", video: "Video", audio: "Sound", file: "File" };
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Returns the page of a share link as HTML. */
export function renderSharePage({ file, modelName, prompt, expiresAt, url }: SharePage): Promise<string> {
  const kind = sharedKindOf(file);
  const title = `${nouns[kind]} made with AI`;
  // Relative, so that it works behind a proxy that serves the hub below a path.
  const path = `${url.slice(url.lastIndexOf("/") + 1)}/file`;
  const preview = html`<meta property="og:title" content="${title}" />
    <meta property="og:description" content="Model: ${modelName}" />
    ${kind === "image" && html`<meta property="og:image" content="${url}/file" />`}`;
  const body = html`<h1>${title}</h1>
    <figure>${renderMedia(kind, path, `${title}, by ${modelName}`)}</figure>
    <dl>
      <div>
        <dt>Model</dt>
        <dd>${modelName}</dd>
      </div>
      ${
        prompt !== null &&
        html`<div>
          <dt>Prompt</dt>
          <dd>${prompt}</dd>
        </div>`
      }
      <div>
        <dt>Available until</dt>
        <dd>${days.format(expiresAt)}</dd>
      </div>
    </dl>
    <a class="download" href="${path}" download>Download</a>`;
  return renderDocument(title, body, preview);
}

function renderMedia(kind: keyof typeof nouns, path: string, label: string) {
  if (kind === "image") return html`<img src="${path}" alt="${label}" />`;
  if (kind === "video") return html`<video src="${path}" controls playsinline preload="metadata" aria-label="${label}"></video>`; // prettier-ignore
  if (kind === "audio") return html`<audio src="${path}" controls preload="metadata" aria-label="${label}"></audio>`;
  return html`<p>This file can’t be shown here. Download it instead.</p>`;
}

/** Returns the page for a link that does not work, or that too many people open. */
export function renderErrorPage({ status, message }: AppError): Promise<string> {
  const title = status === 404 ? "Link not available" : "Try again later";
  const text = status === 404 ? "This link does not exist or has ended. Ask whoever sent it for a new one." : message;
  return renderDocument(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );
}

type Html = ReturnType<typeof html>;

const renderDocument = async (title: string, body: Html, head: Html | string = ""): Promise<string> =>
  String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title} · ${HUB_NAME}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow, noarchive, noimageindex" />
          <meta name="referrer" content="no-referrer" />
          <link rel="icon" href="/icon.svg" />
          ${head} ${styleElement}
        </head>
        <body>
          <main>${body}</main>
          <footer>Shared from ${HUB_NAME}</footer>
        </body>
      </html>`,
  );
