import { openReceiverMatrix } from "../test/webhooks/receiver-matrix";

// Runs one receiver for each way to respond, in a process of their own.
process.on("disconnect", () => process.exit(0));
process.send!(Object.values(await openReceiverMatrix()).map(({ url, host }) => ({ url, host })));
setInterval(() => undefined, 60_000);
