import { randomInt } from "node:crypto";

// Runs the same tests at full counts. Set SEED to the printed value to repeat a run.
process.env.SOAK = "1";
process.env.SEED ??= String(randomInt(2 ** 31));
process.stdout.write(`SEED=${process.env.SEED}\n`);
await import("./test.mjs");
