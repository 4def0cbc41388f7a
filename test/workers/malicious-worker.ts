// A worker that tests kill: it reports wrong GPU times, and reports late, twice or not at all.
const [url, token] = process.argv.slice(2);
const random = (max: number) => Math.floor(Math.random() * max);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Job {
  lease: { id: string; fence: number };
}

async function sendRequest(method: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/v1/worker/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const randomGpuMs = () => [0, 5, random(1_000), 3_600_000, Number.MAX_SAFE_INTEGER][random(5)]!;
const earlier: Job[] = [];

async function runJob(job: Job): Promise<void> {
  const { id, fence } = job.lease;
  for (let heartbeats = random(4); heartbeats > 0; heartbeats -= 1) {
    await pause(random(15));
    await sendRequest("POST", `leases/${id}/heartbeat`, {
      fence,
      gpu_ms: randomGpuMs(),
      progress: Math.random(),
      checkpoint: { heartbeats },
    });
  }
  await sendRequest("PUT", `leases/${id}/outputs/0?fence=${fence}`, { by: id });
  const fails = Math.random() < 0.2;
  const failure = { code: "x", message: "-", retryable: Math.random() < 0.7 };
  const end = () =>
    sendRequest("POST", `leases/${id}/${fails ? "fail" : "complete"}`, {
      fence,
      gpu_ms: randomGpuMs(),
      ...(fails && failure),
    });
  await Promise.all([end(), end()]);
}

for (let alive = true; alive; alive = process.connected) {
  try {
    const { status, body } = await sendRequest("POST", "claim", { models: ["gpu-a"], wait_seconds: 1 });
    // Sometimes completes an earlier lease late.
    const earlierLease = earlier[random(earlier.length)]?.lease;
    if (earlierLease)
      await sendRequest("POST", `leases/${earlierLease.id}/complete`, {
        fence: earlierLease.fence,
        gpu_ms: randomGpuMs(),
      });
    if (status === 200) {
      earlier.push(body as Job);
      await runJob(body as Job);
    }
  } catch {
    await pause(20);
  }
}

export {};
