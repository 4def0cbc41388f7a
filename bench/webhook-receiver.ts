import { openReceiver } from "../test/webhooks/receiver";

/** A fast HTTPS receiver in a process of its own; it tells when each body came, by the id of its generation. */
const receiver = await openReceiver((response) => void response.writeHead(204).end());
process.on("message", () => {
  const told = receiver.received.splice(0).map(({ at, body }) => {
    const { created_at } = JSON.parse(body.toString()) as { created_at: string };
    return at - new Date(created_at).getTime();
  });
  process.send!(told);
});
process.on("disconnect", () => process.exit(0));
process.send!({ url: receiver.url, host: receiver.host });
setInterval(() => undefined, 60_000);
