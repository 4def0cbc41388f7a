import { expect, test } from "vitest";
import { buildIo, readOutput } from "../../../../test/providers/job";
import { filmPicture } from "./video";

const io = { ...buildIo(), read: () => Promise.reject(new Error("no picture was sent")) };
const film = async (input: Record<string, unknown>) => {
  const state = await filmPicture({ prompt: "a tree", seconds: 1, ...input }, io);
  if (state.state !== "succeeded") throw new Error(`the job is ${state.state}`);
  return { usage: state.usage, content: await readOutput(state.outputs[0]!) };
};

/** Start code of a VP8 key frame, with its width and height. */
const frameOf = (width: number, height: number) =>
  Buffer.from([0x9d, 0x01, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8]);

test.each([
  ["1280x720", 1280, 720],
  ["720x1280", 720, 1280],
])("a video of %s has frames of this size, four for a second", async (size, width, height) => {
  const { usage, content } = await film({ size });
  expect(usage).toEqual({ seconds: 1 });
  expect(content.toString("latin1").split(frameOf(width, height).toString("latin1"))).toHaveLength(5);
});

test("the same input has the same video, and another prompt another one", async () => {
  const [one, same, other] = await Promise.all([film({}), film({}), film({ prompt: "a lake" })]);
  expect(same.content.equals(one.content)).toBe(true);
  expect(other.content.equals(one.content)).toBe(false);
});
