import { ensureBuilt } from "./build/ensure-built.mjs";

await ensureBuilt(["client", "server", "pages"]);
