const STEPS = [1, 2, 4, 10];

/** The next round amount that is not below `most`, whose half is round as well; 1 when there is nothing. */
export function axisTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = STEPS.find((one) => one * power >= most) ?? 10;
  // As a decimal: 4 × 0.01 would else have seventeen places.
  return Number((step * power).toPrecision(1));
}
