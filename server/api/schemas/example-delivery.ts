const delivery = {
  id: "019aa535-8b20-7e11-a3c6-90d4f7b2e518",
  webhook_id: "019aa534-2f00-7b6a-b7d9-1c8e5a4f3d62",
  created_at: "2026-11-21T08:00:02.000Z",
};

/** The delivery that the API description shows: one that the receiver accepted. */
export const exampleDelivery = {
  ...delivery,
  event: "generation.completed",
  generation_id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  status: "succeeded",
  next_attempt_at: null,
  attempts: [
    { started_at: "2026-11-21T08:00:02.000Z", duration_ms: 84, status: 200, response: "thank you", error: null },
  ],
};

/** A delivery that is about to be sent. */
export const pendingDelivery = {
  ...exampleDelivery,
  status: "pending",
  next_attempt_at: "2026-11-21T08:00:02.000Z",
  attempts: [],
};

/** A test event that is about to be sent. */
export const pendingTest = { ...pendingDelivery, event: "webhook.test", generation_id: null };
