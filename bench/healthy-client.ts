import { Agent, request } from "node:http";

/** Asks one address a hundred times a second, and tells the times of its answers when it is told to stop. */
const [url, key] = [process.env.URL!, process.env.KEY!];
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const times: number[] = [];
const failures: string[] = [];

function ask(): void {
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

const timer = setInterval(ask, 10);
process.send?.("ready");
process.once("message", () => {
  clearInterval(timer);
  process.send?.({ times, failures }, () => process.exit(0));
});
