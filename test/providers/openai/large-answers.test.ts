import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { createInlineOutputs, INLINE_LIMITS } from "../../../server/domain/generations/run/inline-outputs";
import { type ArrivalBudget, createArrivalBudget } from "../../../server/lib/arrival-budget";
import { openai } from "../../../server/providers/openai/openai";
import { bundleProgram } from "../../bundle-program";
import { soakCount } from "../../soak";
import { buildIo, buildJob, buildProvider } from "../job";
import { openOpenaiDouble } from "./double";

const MIB = 2 ** 20;
const READS = 3;
const double = await openOpenaiDouble();
afterAll(() => double.close());

/** Returns a response with one picture of this many characters, and how many bytes of it were sent. */
function largeResponse(characters: number) {
  const sent = { bytes: 0 };
  async function* chunks() {
    yield Buffer.from('{"data":[{"b64_json":"');
    for (; sent.bytes < characters; sent.bytes += 2 ** 16) yield Buffer.alloc(2 ** 16, "A");
    yield Buffer.from('"}]}');
  }
  return { sent, response: { status: 200, headers: { "content-type": "application/json" }, body: chunks() } };
}

/** Submits a job of a provider, whose response counts toward the budget. */
function submit(providerId: string, services: { inlineOutputs: ArrivalBudget }) {
  const held = createInlineOutputs({ services });
  const io = buildIo();
  io.reserveMemory = (bytes, signal) => held.reserve(providerId, bytes, signal);
  const job = buildJob(buildProvider("openai", double.baseUrl), "gpt-image-2.5-flare", { prompt: providerId });
  return { held, state: openai.submit!(job, io) };
}

test("large responses at once hold no more than the budget, and go on as soon as memory is free", async () => {
  const services = { inlineOutputs: createArrivalBudget({ maxBytes: 8 * MIB, maxBytesPerOwner: 8 * MIB }) };
  const larges = [largeResponse(24 * MIB), largeResponse(24 * MIB), largeResponse(24 * MIB)];
  double.respondNext(...larges.map(({ response }) => response));
  const runs = ["a", "b", "c"].map((name) => submit(name, services));
  const first = await Promise.race(runs.map(async ({ held, state }) => ({ held, state: (await state).state })));
  expect(first.state).toBe("succeeded");
  // One goes on beyond the budget, the others share it. What is sent ahead waits in the buffers of the sockets.
  expect(larges.filter(({ sent }) => sent.bytes < 23 * MIB).length).toBeGreaterThanOrEqual(1);
  first.held.release();
  for (const { held, state } of runs) void state.then(() => held.release());
  for (const { state } of runs) expect((await state).state).toBe("succeeded");
});

test("a response that drips does not delay another provider's picture", async () => {
  const services = { inlineOutputs: createArrivalBudget(INLINE_LIMITS) };
  let stop = () => undefined as void;
  async function* drip() {
    yield Buffer.alloc(MIB, " ");
    await new Promise<void>((resolve) => (stop = resolve));
    yield Buffer.from("{}");
  }
  double.respondNext({ status: 200, headers: { "content-type": "application/json" }, body: drip() });
  const slow = submit("slow", services);
  await expect.poll(() => double.requests.at(-1)?.json).toMatchObject({ prompt: "slow" });
  const { response } = largeResponse(4 * MIB);
  double.respondNext(response);
  expect((await submit("fast", services).state).state).toBe("succeeded");
  stop();
  await slow.state;
});

test.skipIf(process.platform !== "linux")("a large response does not hold up the event loop", async () => {
  const characters = soakCount(12, 48) * MIB;
  const large = Array.from({ length: READS }, () => largeResponse(characters).response);
  double.respondNext(largeResponse(MIB).response, ...large);
  const program = await bundleProgram("test/providers/openai/large-answer-child.ts");
  const child = fork(program, [double.baseUrl, `${READS}`], { execArgv: [] });
  const [report] = (await once(child, "message")) as [{ bytes: number[]; longestTurnsMs: number[] }];
  expect(report.bytes).toEqual(large.map(() => (characters / 4) * 3));
  // A virtual machine that is paused counts the pause as processor time; code that blocks does so in each read.
  expect(Math.min(...report.longestTurnsMs)).toBeLessThan(50);
});
