import { existsSync } from "node:fs";
import path from "node:path";

// Variables that are already set take precedence over the file.
const file = path.resolve(import.meta.dirname, "..", ".env");
if (existsSync(file)) process.loadEnvFile(file);
