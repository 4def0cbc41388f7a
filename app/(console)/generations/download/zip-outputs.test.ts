import { expect, test } from "vitest";
import { nameOutput } from "./zip-outputs";

const generation_id = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";

test.each([
  ["A red  Fox / at dusk…", "image/png", `a-red-fox-at-dusk-${generation_id}-1.png`],
  ["../../etc/passwd", "audio/mpeg", `etc-passwd-${generation_id}-1.mp3`],
  ["灯台", "text/plain", `灯台-${generation_id}-1.txt`],
  [null, "application/vnd.odd+thing", `${generation_id}-1.bin`],
])("an output of %j as %s is called %s", (prompt, media_type, name) => {
  expect(nameOutput({ generation_id, index: 0, media_type, prompt })).toBe(name);
});
