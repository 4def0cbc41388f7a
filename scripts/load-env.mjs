import { existsSync } from "node:fs";
import path from "node:path";

// What the environment says itself goes before what stands in the file.
const file = path.resolve(import.meta.dirname, "..", ".env");
if (existsSync(file)) process.loadEnvFile(file);
