import { expect, test } from "vitest";
import { newCustomer } from "../api/customer";
import { openChatHost, userMessages } from "../chat/host";
import { respondWith } from "../chat/upstream";
import { streamWords } from "../openai/stream-upstream";

const host = await openChatHost();

test("an attempt of a chat, streamed or not, has the provider's id of it if that has a usual form", async () => {
  const { key, account } = await newCustomer(host.hub);
  const message = { role: "assistant", content: "hello" };
  const answer = (id: unknown) => respondWith(200, { id, choices: [{ index: 0, message, finish_reason: "stop" }] });
  const body = { messages: userMessages("hello") };
  host.upstream.respondNext(answer("gen-4711"), answer("a\u0000b"), answer(7));
  for (let n = 0; n < 3; n += 1) expect((await host.chat(key, body)).status).toBe(200);
  host.upstream.respondNext(streamWords(["hello"]));
  const streamed = await fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, model: "talk", stream: true }),
  });
  expect(await streamed.text()).toContain("[DONE]");
  const rows = await host.hub.db.query<{ upstream_id: string | null }>(
    "SELECT upstream_id FROM attempt JOIN generation g ON g.id = generation_id WHERE account_id = $1 ORDER BY g.id",
    [account],
  );
  expect(rows.map(({ upstream_id }) => upstream_id)).toEqual([
    "gen-4711",
    null,
    null,
    expect.stringMatching(/^chatcmpl/),
  ]);
});
