// A worker that tests kill: it takes jobs, lies about GPU time, and answers late, twice or not at all.
const [url, token] = process.argv.slice(2);
const random = (most: number) => Math.floor(Math.random() * most);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Job {
  lease: { id: string; fence: number };
}

async function ask(method: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/v1/worker/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const lie = () => [0, 5, random(1_000), 3_600_000, Number.MAX_SAFE_INTEGER][random(5)]!;
const earlier: Job[] = [];

async function work(job: Job): Promise<void> {
  const { id, fence } = job.lease;
  for (let beat = random(4); beat > 0; beat -= 1) {
    await pause(random(15));
    await ask("POST", `leases/${id}/heartbeat`, {
      fence,
      gpu_ms: lie(),
      progress: Math.random(),
      checkpoint: { beat },
    });
  }
  await ask("PUT", `leases/${id}/outputs/0?fence=${fence}`, { by: id });
  const fails = Math.random() < 0.2;
  const failure = { code: "x", message: "-", retryable: Math.random() < 0.7 };
  const end = () =>
    ask("POST", `leases/${id}/${fails ? "fail" : "complete"}`, { fence, gpu_ms: lie(), ...(fails && failure) });
  await Promise.all([end(), end()]);
}

for (let alive = true; alive; alive = process.connected) {
  try {
    const { status, body } = await ask("POST", "claim", { models: ["gpu-a"], wait_seconds: 1 });
    // Sometimes a late word on an older lease.
    const late = earlier[random(earlier.length)]?.lease;
    if (late) await ask("POST", `leases/${late.id}/complete`, { fence: late.fence, gpu_ms: lie() });
    if (status === 200) {
      earlier.push(body as Job);
      await work(body as Job);
    }
  } catch {
    await pause(20);
  }
}

export {};
