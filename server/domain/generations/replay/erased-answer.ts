import { toEuros } from "../../../lib/money";
import type { Generation } from "../row";

/** The parts of its answer that an erased generation still has. */
interface Rest {
  id: string;
  model: string;
  /** Unix time in seconds. */
  created: number;
  input: number;
  output: number;
  /** In EUR. */
  cost: number;
}

const buildCompletion = ({ id, model, created, input, output, cost }: Rest) => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: "" }, finish_reason: "stop" }],
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, cost },
});

/** Answers of the routes whose answers are no chat completions, by their facades. */
const builders = new Map<string, (rest: Rest) => object>([
  [
    "embeddings",
    ({ model, input, cost }) => ({
      object: "list",
      data: [],
      model,
      usage: { prompt_tokens: input, total_tokens: input, cost },
    }),
  ],
  [
    "responses",
    ({ id, model, created, input, output }) => ({
      id: `resp_${id.replaceAll("-", "")}`,
      object: "response",
      created_at: created,
      status: "completed",
      model,
      output: [],
      error: null,
      incomplete_details: null,
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    }),
  ],
  [
    "/v1/messages",
    ({ id, model, input, output }) => ({
      id: `msg_${id.replaceAll("-", "")}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: input, output_tokens: output },
    }),
  ],
]);

/** Returns the answer to a repeated request whose answer was erased: without content, with what the generation still has. */
export function buildErasedAnswer(generation: Generation, facade = ""): string {
  const { id, model, created_at, erased_at, input_tokens, output_tokens, billed_cost } = generation;
  const rest = {
    id,
    model,
    created: Math.floor(created_at.getTime() / 1000),
    input: input_tokens ?? 0,
    output: output_tokens ?? 0,
    cost: toEuros(billed_cost ?? 0n),
  };
  const answer = (builders.get(facade) ?? buildCompletion)(rest);
  return JSON.stringify({ ...answer, erased_at: erased_at!.toISOString() });
}
