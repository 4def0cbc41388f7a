import { randomInt } from "node:crypto";

// The same tests at their full counts. A run is repeated by giving its seed.
process.env.SOAK = "1";
process.env.SEED ??= String(randomInt(2 ** 31));
console.log(`SEED=${process.env.SEED}`);
await import("./test.mjs");
