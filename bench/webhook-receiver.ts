import { openReceiver } from "../test/webhooks/receiver";

// A fast HTTPS receiver in a process of its own. On each message it sends the latencies since the last message.
const receiver = await openReceiver((response) => void response.writeHead(204).end());
process.on("message", () => {
  const latencies = receiver.received.splice(0).map(({ at, body }) => {
    const { created_at } = JSON.parse(body.toString()) as { created_at: string };
    return at - new Date(created_at).getTime();
  });
  process.send!(latencies);
});
process.on("disconnect", () => process.exit(0));
process.send!({ url: receiver.url, host: receiver.host });
setInterval(() => undefined, 60_000);
