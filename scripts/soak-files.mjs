/** Returns whether `npm run soak` alone runs a file of tests or a journey. */
export const isSoakFile = (file) => /\.soak\.(test|spec)\.ts$/.test(file);
