const input = { prompt: "a lighthouse at dusk", resolution: "1k" };

/** The generation that the API description shows: an image that succeeded. */
export const exampleGeneration = {
  id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  model: "sandbox-image",
  is_llm: false,
  status: "succeeded",
  input,
  estimated_cost: 0.0092,
  billed_cost: 0.0092,
  currency: "EUR",
  outputs: [
    {
      index: 0,
      media_type: "image/png",
      url: "https://hub.example/api/v1/hub/files/019aa535-7a10-7c52-8d04-2f9b6c1e3a77",
      size: 48213,
      expires_at: "2026-12-21T08:00:02.000Z",
    },
  ],
  error: null,
  missing: [],
  created_at: "2026-11-21T08:00:00.000Z",
  started_at: "2026-11-21T08:00:00.000Z",
  completed_at: "2026-11-21T08:00:02.000Z",
  provider: "sandbox",
  batch_id: null,
  priority: "normal",
  metadata: { team: "blue" },
  end_user: null,
  progress: 1,
  erased_at: null,
};

const unsettled = { ...exampleGeneration, billed_cost: null, outputs: [], started_at: null, progress: null };

/** The same generation when it has just been accepted. */
export const acceptedGeneration = { ...unsettled, status: "queued", completed_at: null };

/** The same generation, canceled before it started. */
export const canceledGeneration = { ...unsettled, status: "canceled" };

/** The training that a character's cancellation ends. */
export const canceledTraining = {
  ...canceledGeneration,
  model: "sandbox-trainer",
  input: { images: ["sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"], trigger_word: "ada42" },
  estimated_cost: 0.06,
  provider: "worker",
};
