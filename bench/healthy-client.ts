import { Agent, request } from "node:http";

// Requests one URL a hundred times a second, and sends the response times to the parent when it asks for them.
const [url, key] = [process.env.URL!, process.env.KEY!];
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const times: number[] = [];
const failures: string[] = [];

function sendRequest(): void {
  const startedAt = performance.now();
  request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
    response.resume().once("end", () => {
      times.push(performance.now() - startedAt);
      if (response.statusCode !== 200) failures.push(`status ${response.statusCode}`);
    });
  })
    .once("error", (error) => failures.push(error.message))
    .end();
}

const timer = setInterval(sendRequest, 10);
process.send?.("ready");
process.once("message", () => {
  clearInterval(timer);
  process.send?.({ times, failures }, () => process.exit(0));
});
