const STEPS = [1, 2, 4, 10];

/** Returns the next round amount at or above `max` whose half is round too; 1 when `max` is 0. */
export function axisTop(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = STEPS.find((one) => one * power >= max) ?? 10;
  // Rounded, because 4 × 0.01 has floating-point noise.
  return Number((step * power).toPrecision(1));
}
