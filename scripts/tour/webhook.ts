import type { Api } from "./api";

interface Delivery {
  attempts: { status: number | null; error: string | null }[];
}

export interface Webhook {
  secret: string;
  /** Resolves with the outcome of the first delivery, after which the webhook is deleted. */
  waitForDelivery(): Promise<string>;
}

/** Creates a webhook for completed generations. */
export async function createWebhook(api: Api, url: string): Promise<Webhook> {
  const events = ["generation.completed"];
  const { body } = await api.post<{ id: string; secret: string }>("/hub/webhooks", { url, events });
  const path = `/hub/webhooks/${body.id}`;
  return {
    secret: body.secret,
    async waitForDelivery() {
      const attempt = await waitForAttempt(api, path);
      await api.remove(path);
      return attempt.status === null ? `failed: ${attempt.error}` : `was answered with ${attempt.status}`;
    },
  };
}

async function waitForAttempt(api: Api, path: string): Promise<Delivery["attempts"][number]> {
  for (let tries = 0; tries < 300; tries += 1) {
    const [attempt] = (await api.get<{ data: Delivery[] }>(`${path}/deliveries`)).data[0]?.attempts ?? [];
    if (attempt) return attempt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Nothing was delivered within 30 seconds");
}
