import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { buildIo, buildJob, buildProvider, readOutput } from "../../../test/providers/job";
import { isSoak } from "../../../test/soak";
import { InputUnavailable } from "../input-unavailable";
import type { JobState } from "../job";
import type { ProviderIo } from "../provider";
import { readPicture } from "../../lib/pictures/picture";
import { sandbox } from "./sandbox";
import { aspectRatios, getSize, resolutions } from "./input";

const files = new Map<string, Buffer>();
let now = new Date("2026-03-01T12:00:00.000Z");
const io: ProviderIo = {
  ...buildIo(),
  fetch: () => Promise.reject(new Error("the sandbox needs no network")),
  read: async (url) => {
    const content = files.get(url);
    if (!content) throw new InputUnavailable("An input file does not exist.", url.includes("later"));
    return content;
  },
  now: () => now,
};
const provider = buildProvider("sandbox", "http://sandbox.invalid");
const job = (input: Record<string, unknown>, attempt = 1) => buildJob(provider, "", input, { attempt, openedAt: now });
const submit = (input: Record<string, unknown>, attempt?: number) => sandbox.submit(job(input, attempt), io);

async function imageOf(state: JobState): Promise<Buffer> {
  if (state.state !== "succeeded") throw new Error(`the job is ${JSON.stringify(state)}`);
  expect(state.outputs).toHaveLength(1);
  return readOutput(state.outputs[0]!);
}
const draw = async (input: Record<string, unknown>) => imageOf(await submit(input));

describe("the image", () => {
  const sizes = aspectRatios.flatMap((ratio) => resolutions.map((resolution) => [ratio, resolution] as const));

  test.each(sizes)("at %s and %s is exactly of its ratio", (ratio, resolution) => {
    const { width, height } = getSize(ratio, resolution);
    const [w, h] = ratio.split(":").map(Number);
    expect(width * h!).toBe(height * w!);
  });

  // A picture at 4k takes a third of a second of processor time.
  const drawn = sizes.filter(([ratio, resolution]) => isSoak || resolution === "1k" || ratio === "16:9");
  test.each(drawn)("at %s and %s has the size of the table", async (ratio, resolution) => {
    const image = await draw({ prompt: "a tree", aspect_ratio: ratio, resolution, format: "jpeg" });
    const { width, height, format } = await sharp(image).metadata();
    expect({ width, height, format }).toEqual({ ...getSize(ratio, resolution), format: "jpeg" });
  });

  test("of a prompt alone is a square PNG of 1024 pixels", async () => {
    const state = await submit({ prompt: "a tree" });
    expect(state).toMatchObject({ state: "succeeded", outputs: [{ mediaType: "image/png" }] });
    expect(await sharp(await imageOf(state)).metadata()).toMatchObject({ width: 1024, height: 1024, format: "png" });
  });

  test.each(["png", "webp", "jpeg"])("is encoded as %s", async (format) => {
    const state = await submit({ prompt: "a tree", format });
    expect(state).toMatchObject({ outputs: [{ mediaType: `image/${format}` }] });
    expect((await sharp(await imageOf(state)).metadata()).format).toBe(format);
  });

  test("is the same for the same input, and differs for another prompt", async () => {
    const [first, repeated, other] = await Promise.all(
      ["a tree", "a tree", "a three"].map((prompt) => draw({ prompt })),
    );
    expect(first!.equals(repeated!)).toBe(true);
    expect(first!.equals(other!)).toBe(false);
  });

  test("keeps its motif at a higher resolution", async () => {
    const small = async (resolution: string) =>
      sharp(await draw({ prompt: "a tree", resolution }))
        .resize(32, 32)
        .removeAlpha()
        .raw()
        .toBuffer();
    const [one, two] = [await small("1k"), await small("2k")];
    const apart = one.map((value, i) => Math.abs(value - two[i]!));
    expect(Math.max(...apart)).toBeLessThan(16);
  });

  test("has many colours, and is opaque", async () => {
    const image = sharp(await draw({ prompt: "a tree" }));
    expect((await image.metadata()).hasAlpha).toBe(false);
    const { channels, entropy } = await image.stats();
    expect(entropy).toBeGreaterThan(4);
    expect(channels).toHaveLength(3);
  });

  test("accepts markup and unusual characters in a prompt", async () => {
    const prompt = `</svg><image href="file:///etc/passwd"/>&<!-- \u{1f333} \u0007 ]]>`;
    expect((await sharp(await draw({ prompt })).metadata()).width).toBe(1024);
  });

  test("at 1k takes little CPU time", async () => {
    const costs: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const before = process.cpuUsage();
      await draw({ prompt: `picture ${i}` });
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / 1_000);
    }
    // The minimum, because other processes may have used the core during the others.
    expect(Math.min(...costs)).toBeLessThan(150);
  });
});

describe("input images", () => {
  const plain = (colour: string) => sharp({ create: { width: 300, height: 200, channels: 3, background: colour } });

  test("appear side by side along the bottom edge, in order", async () => {
    const colours = ["#ff0000", "#00ff00", "#0000ff", "#ffff00"];
    files.set("u:0", await plain(colours[0]!).png().toBuffer());
    files.set("u:1", await plain(colours[1]!).jpeg({ quality: 100 }).toBuffer());
    files.set("u:2", await plain(colours[2]!).webp({ lossless: true }).toBuffer());
    files.set("u:3", await plain(colours[3]!).gif().toBuffer());
    const image = await draw({ prompt: "a tree", image_input: ["u:0", "u:1", "u:2", "u:3"] });
    const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    const seen = [0, 1, 2, 3].map((index) => at(Math.round(1024 * (0.03 + 0.24 * index + 0.1)), 890));
    const wanted = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]; // prettier-ignore
    for (const [index, colour] of wanted.entries()) {
      for (const [channel, value] of colour.entries()) expect(Math.abs(seen[index]![channel]! - value)).toBeLessThan(8);
    }
  });

  test("change the image and keep its size", async () => {
    files.set("u:avif", await plain("#888888").avif().toBuffer());
    const [without, withOne] = [await draw({ prompt: "x" }), await draw({ prompt: "x", image_input: ["u:avif"] })];
    expect(without.equals(withOne)).toBe(false);
    expect(await sharp(withOne).metadata()).toMatchObject({ width: 1024, height: 1024 });
  });

  test.each([
    ["nothing", async () => Buffer.alloc(0)],
    ["text", async () => Buffer.from("hello")],
    [
      "an SVG",
      async () =>
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`),
    ],
    ["a signature alone", async () => Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["a cut picture", async () => (await plain("#123456").png().toBuffer()).subarray(0, 150)],
    ["a PNG that claims 60,000 × 60,000 pixels", () => claiming(60_000)],
  ])("fail permanently with input_unavailable for %s", async (_, content) => {
    files.set("u:bad", await content());
    expect(await submit({ prompt: "x", image_input: ["u:bad"] })).toEqual({
      state: "failed",
      started: "yes",
      cause: "job",
      error: {
        code: "input_unavailable",
        message: "image_input.0 is not a picture that can be read.",
        retryable: false,
      },
    });
  });

  test("with too many pixels are rejected before they are decoded", async () => {
    files.set("u:large", await claiming(12_000));
    expect(await submit({ prompt: "x", image_input: ["u:large"] })).toMatchObject({
      error: { message: "image_input.0 is too large to decode: 12000 × 12000 pixels.", retryable: false },
    });
  });

  test.each([
    ["without extensions", (gif: Buffer) => gif],
    ["after a comment", (gif: Buffer) => withComment(gif)],
    ["that is cut within its second frame", (gif: Buffer) => gif.subarray(0, -20)],
  ])("that are animated count as their first frame: a GIF %s", async (_, change) => {
    const frames = await Promise.all(["#ff0000", "#0000ff"].map((colour) => plain(colour).gif().toBuffer()));
    files.set("u:first", frames[0]!);
    files.set(
      "u:animated",
      change(
        await sharp(frames, { join: { animated: true } })
          .gif()
          .toBuffer(),
      ),
    );
    const { content, header } = await readPicture(files.get("u:animated")!);
    expect(header.pages).toBe(1);
    expect(content.length).toBeLessThan(files.get("u:animated")!.length);
    const [first, animated] = await Promise.all(
      ["u:first", "u:animated"].map((url) => draw({ prompt: "x", image_input: [url] })),
    );
    expect(animated!.equals(first!)).toBe(true);
  });

  test("that cannot be read report the reason, and whether a retry may succeed", async () => {
    const issue = (retryable: boolean) => ({
      state: "failed",
      error: { code: "input_unavailable", message: "An input file does not exist.", retryable },
    });
    expect(await submit({ prompt: "x", image_input: ["u:none"] })).toMatchObject(issue(false));
    expect(await submit({ prompt: "x", image_input: ["u:later"] })).toMatchObject(issue(true));
  });

  /** The same GIF with a comment before its first block. */
  function withComment(gif: Buffer) {
    const start = 13 + 3 * 2 ** ((gif[10]! & 7) + 1);
    const comment = Buffer.from([0x21, 0xfe, 2, 0x2c, 0x3b, 1, 0x21, 0]);
    return Buffer.concat([gif.subarray(0, start), comment, gif.subarray(start)]);
  }

  /** A PNG whose header lies about its size. */
  async function claiming(edge: number) {
    const png = await plain("#000000").png().toBuffer();
    png.writeUInt32BE(edge, 16);
    png.writeUInt32BE(edge, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    return png;
  }
});

describe("magic words", () => {
  const poll = (state: JobState) => {
    if (state.state !== "pending") throw new Error(`the job is ${state.state}`);
    return sandbox.poll(job({ prompt: "x" }), state.upstreamId, io);
  };
  const wait = (seconds: number) => (now = new Date(now.getTime() + seconds * 1_000));

  test("[fail] fails at once and permanently", async () => {
    for (const attempt of [1, 2, 3]) {
      expect(await submit({ prompt: "a [fail] tree [slow:9]" }, attempt)).toMatchObject({
        state: "failed",
        started: "yes",
        cause: "job",
        error: { code: "provider_error", retryable: false },
      });
    }
  });

  test("[flaky] fails once and then succeeds", async () => {
    const flaky = { state: "failed", started: "yes", cause: "job", error: { code: "provider_error", retryable: true } };
    expect(await submit({ prompt: "[flaky]" }, 1)).toMatchObject(flaky);
    expect(await submit({ prompt: "[flaky]" }, 2)).toMatchObject({ state: "succeeded" });
  });

  test("[slow:3] takes three seconds with increasing progress", async () => {
    let state = await submit({ prompt: "[slow:3]" });
    const start = now.getTime();
    const seen: number[] = [];
    while (state.state === "pending") {
      seen.push(state.progress!);
      expect(state.pollAfterSeconds).toBeGreaterThan(0);
      wait(state.pollAfterSeconds);
      state = await poll(state);
    }
    expect(state.state).toBe("succeeded");
    expect(now.getTime() - start).toBe(3_000);
    expect(seen).toEqual([0, 0.16, 0.33, 0.5, 0.66, 0.83]);
  });

  test("[slow:N] reports progress below 1 until its end, and never below 0", async () => {
    const state = await submit({ prompt: "[slow:1000]" });
    wait(999.999);
    expect(await poll(state)).toMatchObject({ state: "pending", progress: 0.99 });
    wait(-5_000);
    expect(await poll(state)).toMatchObject({ state: "pending", progress: 0 });
  });

  test("[hang] never ends", async () => {
    const state = await submit({ prompt: "[hang]" });
    wait(1e9);
    expect(await poll(state)).toEqual({ ...state, progress: null, pollAfterSeconds: 2 });
  });

  test.each(["[slow:0]", "[slow:-1]", "[slow:x]", "[SLOW:3]", "slow:3", "[fail", "fail]", "[ hang ]"])(
    "%s has no effect",
    async (prompt) => {
      expect((await submit({ prompt })).state).toBe("succeeded");
    },
  );
});
