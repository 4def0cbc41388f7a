import { expect, test } from "vitest";
import { countColours, refinePalette } from "./palette";

test("colours get the share of the pixels that are nearest to them", () => {
  const red = [250, 10, 10];
  const blue = [10, 10, 250];
  const counts = countColours(Buffer.from([...red, ...red, ...red, ...blue]));
  const refined = refinePalette(
    [
      [200, 0, 0],
      [0, 0, 200],
    ],
    counts,
  );
  expect(refined).toEqual([
    { colour: [240, 16, 16], share: 0.75 },
    { colour: [16, 16, 240], share: 0.25 },
  ]);
});
