import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const AA = 4.5;
const css = await readFile("app/globals.css", "utf8");

/** Returns the relative luminances (WCAG 2) of the light and the dark value of a token. */
function luminancesOf(token: string): number[] {
  const values = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)!.slice(1);
  return values.map((value) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(value.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
}

test.each(["accent", "danger"])(
  "text on a button of the colour %s has enough contrast, under the pointer too",
  (kind) => {
    const texts = luminancesOf(`on-${kind}`);
    for (const token of [kind, `${kind}-hover`]) {
      const backgrounds = luminancesOf(token);
      for (const theme of [0, 1]) {
        const [darker, lighter] = [texts[theme]!, backgrounds[theme]!].sort((one, other) => one - other) as [
          number,
          number,
        ];
        expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(AA);
      }
    }
    // An opacity would let the page's colour show through.
    expect(css).toContain(`--color-${kind}-hover`);
  },
);
