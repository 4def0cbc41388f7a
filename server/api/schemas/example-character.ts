/** The character that the API description shows: one that is trained. */
export const exampleCharacter = {
  id: 7,
  name: "Ada",
  status: "ready",
  base_model: "sandbox-trainer",
  trigger_word: "ada42",
  images: ["sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  parameters: { steps: 20 },
  estimated_cost: 0.06,
  billed_cost: 0.0021,
  currency: "EUR",
  progress: 1,
  missing: [],
  error: null,
  generation_id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  model: "sandbox-image",
  created_at: "2026-11-21T08:00:00.000Z",
  updated_at: "2026-11-21T08:01:00.000Z",
};

const untrained = { ...exampleCharacter, billed_cost: null, progress: null, model: null };

/** The same character before its training. */
export const draftCharacter = { ...untrained, status: "draft", generation_id: null };

/** The same character when its training has been accepted. */
export const queuedCharacter = { ...untrained, status: "queued" };
