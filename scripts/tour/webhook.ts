import type { Api } from "./api";

interface Delivery {
  attempts: { status: number | null; error: string | null }[];
}

/** Has an address told of what is made from now on. Answers how to wait for the delivery, and then to tell no more. */
export async function subscribeWebhook(
  api: Api,
  url: string,
): Promise<{ secret: string; told: () => Promise<string> }> {
  const events = ["generation.completed"];
  const { body } = await api.post<{ id: string; secret: string }>("/hub/webhooks", { url, events });
  const path = `/hub/webhooks/${body.id}`;
  return {
    secret: body.secret,
    async told() {
      const attempt = await firstAttempt(api, path);
      await api.remove(path);
      return attempt.status === null ? `could not be reached: ${attempt.error}` : `answered ${attempt.status}`;
    },
  };
}

async function firstAttempt(api: Api, path: string): Promise<Delivery["attempts"][number]> {
  for (let tries = 0; tries < 300; tries += 1) {
    const [attempt] = (await api.get<{ data: Delivery[] }>(`${path}/deliveries`)).data[0]?.attempts ?? [];
    if (attempt) return attempt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Nothing was delivered within half a minute");
}
