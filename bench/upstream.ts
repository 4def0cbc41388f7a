import { serveParent } from "./serve-parent";

// A provider of chats that uses hardly any CPU time: it reads the request and always sends the same response or stream.
const body = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "bench",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "A lighthouse stands where the land ends and the sea begins.".repeat(4) },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 40, completion_tokens: 48, total_tokens: 88 },
});

const chunk = (choice: object, usage: object | null = null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, ...choice }], usage })}\n\n`;
const streamed =
  chunk({ delta: { role: "assistant", content: "A lighthouse" }, finish_reason: null }) +
  chunk({ delta: { content: " stands where the land ends." }, finish_reason: null }) +
  chunk({ delta: {}, finish_reason: "stop" }, { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 }) +
  "data: [DONE]\n\n";

serveParent((request, response) => {
  let isStreamed = false;
  request.on("data", (bytes: Buffer) => (isStreamed ||= bytes.includes('"stream":true')));
  request.once("end", () => {
    if (isStreamed) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.end(streamed);
    }
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
