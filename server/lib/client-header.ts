import { randomBytes } from "node:crypto";

const NAME = Symbol.for("generation-hub client header");
const processGlobal = globalThis as { [NAME]?: string };

/**
 * The header by which our own server tells Next's side a client's address. Its name is made anew in each process, so
 * that no client can send it; under a plain `next start` nobody does.
 */
export const CLIENT_HEADER = (processGlobal[NAME] ??= `x-hub-client-${randomBytes(12).toString("hex")}`);
