import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { createInlineOutputs } from "../../../server/domain/runs/inline-outputs";
import { createConcurrencyLimit } from "../../../server/lib/concurrency-limit";
import { openai } from "../../../server/providers/openai/openai";
import { bundleProgram } from "../../bundle-program";
import { soakCount } from "../../soak";
import { buildIo, buildJob, buildProvider } from "../job";
import { openOpenaiDouble } from "./double";

const MIB = 2 ** 20;
const READS = 3;
const double = await openOpenaiDouble();
afterAll(() => double.close());

/** Returns a response with one picture of as many characters, and how many bytes of it were sent. */
function largeResponse(characters: number) {
  const sent = { bytes: 0 };
  async function* chunks() {
    yield Buffer.from('{"data":[{"b64_json":"');
    for (; sent.bytes < characters; sent.bytes += 2 ** 16) yield Buffer.alloc(2 ** 16, "A");
    yield Buffer.from('"}]}');
  }
  return { sent, response: { status: 200, headers: { "content-type": "application/json" }, body: chunks() } };
}

test("two large responses at once are in memory one after the other", async () => {
  const services = { inlineOutputs: createConcurrencyLimit(1) };
  const sent: { bytes: number }[] = [];
  const log: string[] = [];

  async function run(name: string) {
    const turn = createInlineOutputs({ services });
    const large = largeResponse(24 * MIB);
    sent.push(large.sent);
    double.respondNext(large.response);
    const io = buildIo();
    io.waitForInlineOutputs = async () => {
      await turn.wait(io.signal);
      log.push(`${name} begins`);
    };
    const job = buildJob(buildProvider("openai", double.baseUrl), "gpt-image-2.5-flare", { prompt: name });
    const state = await openai.submit!(job, io);
    log.push(`${name} ends`);
    expect(state.state).toBe("succeeded");
    return turn;
  }

  const runs = [run("a"), run("b")];
  const first = await Promise.race(runs);
  expect(log.map((entry) => entry.slice(2))).toEqual(["begins", "ends"]);
  // What is sent ahead waits in the buffers of the sockets.
  expect(Math.min(...sent.map(({ bytes }) => bytes))).toBeLessThan(16 * MIB);
  first.release();
  for (const turn of await Promise.all(runs)) turn.release();
  expect(log.map((entry) => entry.slice(2))).toEqual(["begins", "ends", "begins", "ends"]);
  expect(log[0]![0]).not.toBe(log[2]![0]);
});

test("small responses do not wait for their turn", async () => {
  const io = buildIo();
  io.waitForInlineOutputs = () => Promise.reject(new Error("waited"));
  const job = buildJob(buildProvider("openai", double.baseUrl), "gpt-image-2.5-flare", { prompt: "a lighthouse" });
  expect((await openai.submit!(job, io)).state).toBe("succeeded");
});

test.skipIf(process.platform !== "linux")("a large response does not hold up the event loop", async () => {
  const characters = soakCount(12, 48) * MIB;
  const large = Array.from({ length: READS }, () => largeResponse(characters).response);
  double.respondNext(largeResponse(MIB).response, ...large);
  const program = await bundleProgram("test/providers/openai/large-answer-child.ts");
  const child = fork(program, [double.baseUrl, `${READS}`], { execArgv: [] });
  const [report] = (await once(child, "message")) as [{ bytes: number[]; longestTurnsMs: number[] }];
  expect(report.bytes).toEqual(large.map(() => (characters / 4) * 3));
  // A virtual machine that is stopped for a while counts that as processor time; code that blocks does so in each read.
  expect(Math.min(...report.longestTurnsMs)).toBeLessThan(50);
});
