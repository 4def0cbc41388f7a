import { openReceiver } from "../test/webhooks/receiver";
import { openReceiverMatrix } from "../test/webhooks/receiver-matrix";

// Runs HTTPS receivers in a process of their own: a fast one, which sends the latencies since the last message on each
// message, or one for each way to misbehave.
process.on("disconnect", () => process.exit(0));
setInterval(() => undefined, 60_000);
if (process.env.RECEIVERS === "misbehaving") {
  process.send!(Object.values(await openReceiverMatrix()).map(({ url, host }) => ({ url, host })));
} else {
  const { received, url, host } = await openReceiver((response) => void response.writeHead(204).end());
  process.on("message", () => {
    const latencies = received.splice(0).map(({ at, body }) => {
      const { created_at } = JSON.parse(body.toString()) as { created_at: string };
      return at - new Date(created_at).getTime();
    });
    process.send!(latencies);
  });
  process.send!([{ url, host }]);
}
