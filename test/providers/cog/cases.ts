import { expect, test } from "vitest";
import type { ProviderSettings } from "../../../server/catalogue/model";
import { cog } from "../../../server/providers/cog/cog";
import { buildIo, buildJob, readOutput } from "../job";

/** Declares the tests of the adapter that hold at the double and at the real server. */
export function testCog(getProvider: () => ProviderSettings): void {
  const build = (input: Record<string, unknown>) => buildJob(getProvider(), "", { prompt: "a tree", ...input });
  const readHealth = async () => {
    const response = await fetch(`${getProvider().baseUrl}/health-check`);
    return ((await response.json()) as { status: string }).status;
  };
  /** Submits when the container is free, which is a little later than its last response. */
  const submit = async (input: Record<string, unknown>) => {
    await expect.poll(readHealth).toBe("READY");
    return cog.submit(build(input), buildIo());
  };

  test.each([
    ["a file", {}, [["text/plain", "a tree 64"]]],
    ["a file made from an inline input", { image: "data:text/plain;base64,b2Fr" }, [["text/plain", "a tree 64 oak"]]],
    ["several files", { output: "files", width: 32 }, Array(2).fill(["text/plain", "a tree 32"])],
    ["the files of an object", { output: "nested" }, [["text/plain", "a tree 64"]]],
    ["a text", { output: "text" }, [["text/plain", "some text"]]],
    ["a text in pieces", { output: "pieces" }, [["text/plain", "some text"]]],
    ["an object", { output: "json" }, [["application/json", '{"seed":5}']]],
    ["nothing", { output: "nothing" }, []],
  ])("returns %s", async (_, input, expected) => {
    const state = await submit(input);
    if (state.state !== "succeeded") throw new Error(JSON.stringify(state));
    const outputs = state.outputs.map(async (output) => [output.mediaType, (await readOutput(output)).toString()]);
    expect(await Promise.all(outputs)).toEqual(expected);
    expect(state.usage!.computeSeconds).toBeGreaterThan(0);
  });

  test("downloads nothing from another place than the container", async () => {
    await expect(submit({ output: "url" })).rejects.toMatchObject({ failure: { code: "invalid_output" } });
  });

  test.each([
    ["raises an error", { prompt: "raise" }, "provider_error", "The model failed: ValueError: told to fail."],
    ["refuses the content", { prompt: "nsfw" }, "content_refused", expect.stringContaining("safety rules")],
  ])("says that work began that %s", async (_, input, code, message) => {
    const failed = { state: "failed", started: "yes", cause: "job", upstreamStatus: 200 };
    expect(await submit(input)).toMatchObject({ ...failed, error: { code, message: message as string } });
  });

  test.each([
    [{ width: 2 }, "width: 2 is less than the minimum of 16"],
    [{ prompt: undefined }, "prompt: Field required"],
  ])("names the place of an input that the model rejects: %j", async (input, reason) => {
    const refused = { code: "provider_refused", retryable: false };
    expect(await submit(input)).toMatchObject({
      state: "failed",
      started: "no",
      cause: "job",
      upstreamStatus: 422,
      error: { ...refused, message: `The provider rejected the input: ${reason}.` },
    });
  });

  /** Submits work that does not end by itself, and returns once the container runs it. */
  const startLongWork = async (signal?: AbortSignal) => {
    const job = build({ seconds: 600 });
    await expect.poll(readHealth).toBe("READY");
    const result = cog.submit(job, buildIo({}, signal));
    // Awaited later, and may reject until then.
    result.catch(() => undefined);
    await expect.poll(readHealth).toBe("BUSY");
    return { job, result };
  };

  test("a busy container starts no other work, and the work of a lost submit is stopped", async () => {
    const { job, result } = await startLongWork();
    const busy = { started: "no", cause: "capacity", upstreamStatus: 409 };
    expect(await cog.submit(build({}), buildIo())).toMatchObject(busy);
    expect(await cog.recover(job, buildIo())).toMatchObject({ started: "yes", error: { retryable: true } });
    expect(await result).toMatchObject({ started: "yes", error: { message: "The model was stopped." } });
    expect(await cog.recover(job, buildIo())).toMatchObject({ started: "unknown" });
    expect((await submit({})).state).toBe("succeeded");
  });

  test("a container stops work for which nobody waits any more", async () => {
    const hub = new AbortController();
    const { result } = await startLongWork(hub.signal);
    hub.abort(new DOMException("The claim was lost.", "AbortError"));
    await expect(result).rejects.toThrow("The claim was lost.");
    expect((await submit({})).state).toBe("succeeded");
  });

  test("the same attempt is never run beside itself", async () => {
    const { job, result } = await startLongWork();
    expect(await cog.submit(job, buildIo())).toMatchObject({ started: "unknown", upstreamStatus: 202 });
    await cog.recover(job, buildIo());
    await result;
  });

  test("work that may have ended is not run again by looking for it", async () => {
    const job = build({});
    await expect.poll(readHealth).toBe("READY");
    await cog.submit(job, buildIo());
    expect(await cog.recover(job, buildIo())).toMatchObject({ state: "failed", started: "unknown" });
  });

  test("checks the names of inputs", async () => {
    const { route } = build({});
    expect(await cog.check({ ...route, rename: { text: "prompt" }, set: { width: 32 } }, buildIo())).toBeNull();
    const unknown = 'The model has no input "size".';
    expect(await cog.check({ ...route, rename: { aspect_ratio: "size" } }, buildIo())).toBe(unknown);
    expect(await cog.check({ ...route, set: { size: 1 } }, buildIo())).toBe(unknown);
  });
}
