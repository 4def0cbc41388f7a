/** Returns whether only `npm run soak` runs a file of tests or a journey. */
export const isSoakFile = (file) => /\.soak\.(test|spec)\.ts$/.test(file);
