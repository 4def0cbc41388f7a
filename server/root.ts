import path from "node:path";

/** The folder of the project. This file and the bundles in `dist/` both lie one folder below it. */
export const root = path.resolve(import.meta.dirname, "..");
