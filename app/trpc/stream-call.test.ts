import { expect, onTestFinished, test } from "vitest";
import { serveRequests } from "../../test/serve-requests";
import { streamCall } from "./stream-call";

test("reads events whose JSON has U+2028 and U+2029, and skips comments and the mark of the end", async () => {
  const said = [{ text: "A\u2028light\u2029house" }, { text: "\u2028data: {}" }];
  const events = said.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const url = await serveRequests(
    (_request, response) => void response.end(`: keep-alive\n\n${events}data: [DONE]\n\n`),
  );
  // A page has an address, to which its calls are relative.
  const { fetch: send } = globalThis;
  globalThis.fetch = (path, init) => send(new URL(path as string, url), init);
  onTestFinished(() => void (globalThis.fetch = send));
  const received: unknown[] = [];
  for await (const list of streamCall("chatStreams.chat", {}, new AbortController().signal)) received.push(...list);
  expect(received).toEqual(said);
});
