import "./load-env.mjs";
import { ensureBuilt } from "./build/ensure-built.mjs";

await ensureBuilt(["client", "server", "pages"]);
// Imported, not spawned, so that signals reach the server and its exit code is that of `npm start`.
await import("../dist/main.js");
