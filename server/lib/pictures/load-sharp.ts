import type Sharp from "sharp";

let loading: Promise<typeof Sharp> | undefined;

/** Returns sharp. Its native library would take a tenth of the start of every command, so it is loaded with the first picture. */
export function loadSharp(): Promise<typeof Sharp> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // Its cache would keep decoded pictures in memory that no estimate accounts for.
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
