import "./load-env.mjs";
import { ensureBuilt } from "./build/ensure-built.mjs";

await ensureBuilt(["client", "server"], { quiet: true });
await import("../dist/hub.js");
