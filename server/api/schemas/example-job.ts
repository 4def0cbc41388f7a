/** The job that the API description shows: the training of a character. */
export const exampleJob = {
  lease: { id: "019aa535-9c30-7d45-8e2b-6a1f0b7c4d93", fence: 1, expires_at: "2026-11-21T08:01:00.000Z" },
  generation: {
    id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
    model: "sandbox-trainer",
    input: {
      images: [
        "https://hub.example/api/v1/hub/files/019aa534-1d00-7f08-9a5c-3e7b2d6f8c41?expires=1795248060&signature=q0Zk1V",
      ],
      trigger_word: "ada42",
      steps: 20,
    },
    checkpoint: null,
  },
};
