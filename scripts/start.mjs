import "./load-env.mjs";
import { ensureBuilt } from "./build/ensure-built.mjs";

await ensureBuilt(["client", "server", "pages"]);
// In this process, so that signals reach the server and its end is the end of `npm start`.
await import("../dist/main.js");
