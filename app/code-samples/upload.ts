import { requestSnippets } from "./request-snippets";

const extensions: Record<string, string> = { image: "png", audio: "mp3", video: "mp4" };

/** Returns programs that upload a file of one of these media with the key in HUB_API_KEY, and print its URL. */
export function uploads(base: string, modalities: string[]) {
  const file = `input.${modalities.map((one) => extensions[one]).find(Boolean) ?? "pdf"}`;
  return requestSnippets(base, {
    method: "POST",
    path: "/api/v1/hub/files",
    headers: {},
    credential: "key",
    body: { kind: "form", file },
    result: { member: "url" },
  });
}
