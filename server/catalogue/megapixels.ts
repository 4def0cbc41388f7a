/** Pixels of one megapixel, as the makers count: a picture of 1024 × 1024 has one. */
const PIXELS = 1_048_576;

/** Returns the megapixels of a picture, rounded up. */
export const megapixelsOf = (width: number, height: number): number => Math.ceil((width * height) / PIXELS);
