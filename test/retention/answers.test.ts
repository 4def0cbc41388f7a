import { expect, test } from "vitest";
import { callApi } from "../api/call";
import { userMessages } from "../chat/host";
import { errorBody, respondWith } from "../chat/upstream";
import { openResponsesHost } from "../responses/open-responses";
import { findText } from "./find-text";

const host = await openResponsesHost();
const { hub } = host;
const PATH = "/api/v1/hub/generations";

test("a chat's question and answers are erased, and its repeat is answered without another purchase", async () => {
  const { key, account } = await host.customer();
  await hub.db.query("UPDATE account SET reply_retention_days = 7 WHERE id = $1", [account]);
  const canary = "canarychat4711";
  const chat = () =>
    host.chat(key, { messages: userMessages(`question ${canary}`) }, { headers: { "idempotency-key": "one" } });
  expect((await chat()).status).toBe(200);
  const answer = await host.respond(key, { input: `question ${canary}`, store: true }, { "idempotency-key": "two" });
  expect(answer.status).toBe(200);
  const requests = host.upstream.requests.length;
  expect(await findText(hub, canary)).toEqual(
    expect.arrayContaining(["generation.input", "chat_reply.choices", "generation.stored_answer"]),
  );
  const { data } = (await callApi(host, "GET", PATH, { key })).body as { data: { id: string }[] };
  expect(data).toHaveLength(2);
  for (const { id } of data) expect((await callApi(host, "DELETE", `${PATH}/${id}`, { key })).status).toBe(204);
  expect(await findText(hub, canary)).toEqual([]);

  const again = await chat();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(again.body).toMatchObject({ choices: [{ message: { content: "" } }], object: "chat.completion" });
  const repeated = await host.respond(key, { input: `question ${canary}`, store: true }, { "idempotency-key": "two" });
  expect([repeated.status, repeated.body]).toMatchObject([200, { object: "response", output: [] }]);
  expect((await host.request(key, "GET", `/${String(answer.body.id)}`)).status).toBe(404);
  expect(host.upstream.requests).toHaveLength(requests);
});

test("the error of a rejected chat, which may quote its question, is erased from the log of requests", async () => {
  const { key, keyId, account } = await host.customer();
  const canary = "canaryerror4711";
  host.upstream.respondNext(respondWith(400, errorBody(`Wrong question: ${canary}`)));
  expect((await host.chat(key, { messages: userMessages("question") })).status).toBe(400);
  await hub.services.rejectionLog.flush();
  expect(await findText(hub, canary)).toContain("rejected_request.message");
  const { data } = (await callApi(host, "GET", PATH, { key })).body as { data: { id: string }[] };
  const { id } = data[0]!;
  expect((await callApi(host, "DELETE", `${PATH}/${id}`, { key })).status).toBe(204);
  expect(await findText(hub, canary)).toEqual([]);

  const request = {
    requestId: "late",
    method: "POST",
    path: "/",
    status: 400,
    code: "provider_error",
    message: canary,
  };
  hub.services.rejectionLog.record({ accountId: account, keyId, generationId: id, ...request });
  await hub.services.rejectionLog.flush();
  expect(await findText(hub, canary)).toEqual([]);
  expect(await hub.db.query("SELECT code, message FROM rejected_request WHERE account_id = $1", [account])).toEqual(
    [1, 2].map(() => ({ code: "provider_error", message: "The message was erased." })),
  );
});
