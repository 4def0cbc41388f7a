import { serveParent } from "./serve-parent";

// A provider of chats that uses hardly any CPU time: it reads the request and always sends the same response.
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

serveParent((request, response) => {
  request.resume().once("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
