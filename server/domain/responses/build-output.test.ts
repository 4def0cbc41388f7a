import fc from "fast-check";
import { expect, test } from "vitest";
import { seed, soakCount } from "../../../test/soak";
import { completionToChunk } from "../../providers/chat-call";
import { createAnswer } from "./answer";
import { buildOutput } from "./build-output";
import { createOutput } from "./output";
import { createToolNames } from "./tool-names";

const names = createToolNames();
names.encode({ kind: "custom", name: "exec", namespace: "functions" });
const chat = { id: "019ab0c2-d4e8-7f6a-9b3c-1d2e4f506172", model: "m", created_at: new Date(0) };
const owner = { responseId: chat.id, names, seal: (text: string) => `sealed ${text}` };

const text = fc.option(fc.constantFrom("", "a", "two words"), { nil: undefined });
const call = fc.record({
  id: fc.option(fc.constantFrom("", "call_a", "call_b"), { nil: undefined }),
  function: fc.record({
    name: fc.constantFrom("look", "functions__exec", "tool_search"),
    arguments: fc.constantFrom("", "{}", '{"input":"ls"}'),
  }),
});
const message = fc.record(
  { reasoning: text, reasoning_content: text, content: text, refusal: text, tool_calls: fc.array(call) },
  { requiredKeys: [] },
);

test.each(["completed", "incomplete"] as const)(
  "an output that is %s has the items that its stream makes",
  (status) => {
    fc.assert(
      fc.property(message, (one) => {
        const streamed = createOutput(owner);
        streamed.read(completionToChunk({ choices: [{ index: 0, message: one, finish_reason: "stop" }] }));
        streamed.end(status);
        expect(buildOutput(one, status, owner)).toEqual(streamed.items());
      }),
      { seed, numRuns: soakCount(100, 5_000) },
    );
  },
);

test("a streamed call without arguments keeps its name when the response is built from the transcript", () => {
  const echo = { request: {}, tools: [], previousId: null, isStored: false };
  const answer = createAnswer({ echo, names, includesReasoning: false, now: () => new Date(0), seal: null });
  const called = { tool_calls: [{ index: 0, id: "call_a", function: { name: "look", arguments: "" } }] };
  answer.begin(chat);
  answer.read({ choices: [{ index: 0, delta: called, finish_reason: "tool_calls" }] });
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: 0 };
  const { output } = answer.build(
    { choices: [{ index: 0, message: called, finish_reason: "tool_calls" }] },
    chat,
    usage,
  );
  expect(output).toMatchObject([{ type: "function_call", call_id: "call_a", name: "look" }]);
});
