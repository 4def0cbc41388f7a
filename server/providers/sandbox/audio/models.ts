export const speechFormats = ["wav", "mp3"] as const;
export const transcriptionFormats = ["json", "text", "verbose_json", "srt", "vtt"] as const;
export const MAX_TEXT_LENGTH = 4_096;

/** The sandbox's models of speech, in the format of an operator's catalogue file. */
export const sandboxAudio = [
  {
    id: "sandbox-speech",
    name: "Sandbox speech",
    description:
      "Hums a text: the same input always returns the same recording, a tone for each word. A WAV carries the text, so that " +
      "sandbox-transcription can read it; an MP3 is silent. Needs no key and no network. Runs are charged to your balance.",
    input_modalities: ["text"],
    output_modalities: ["audio"],
    timeout_seconds: 60,
    parameters_schema: {
      type: "object",
      required: ["input"],
      additionalProperties: false,
      properties: {
        input: {
          type: "string",
          minLength: 1,
          maxLength: MAX_TEXT_LENGTH,
          examples: ["Good morning from the harbour."],
          description: "The text to speak.",
        },
        voice: { type: "string", minLength: 1, maxLength: 64, default: "alloy", description: "Sets the pitch." },
        response_format: { type: "string", enum: speechFormats, default: "wav", description: "File format." },
        speed: { type: "number", minimum: 0.25, maximum: 4, default: 1, description: "Tones per time." },
        instructions: { type: "string", maxLength: MAX_TEXT_LENGTH, description: "Accepted, without effect." },
      },
    },
    pricing: { per: "1k_characters", times: "input", tiers: [{ match: {}, price_usd: 0.01 }] },
    routes: [{ provider: "sandbox", upstream_model: "sandbox-speech" }],
  },
  {
    id: "sandbox-transcription",
    name: "Sandbox transcription",
    description:
      "Returns the text that a recording of sandbox-speech carries, and a description of any other recording. The same " +
      "recording always returns the same text. Needs no key and no network. Runs are charged to your balance.",
    input_modalities: ["audio"],
    output_modalities: ["text"],
    timeout_seconds: 60,
    parameters_schema: {
      type: "object",
      required: ["file"],
      additionalProperties: false,
      properties: {
        file: { type: "string", format: "uri", maxLength: 8_192, description: "The recording." },
        response_format: {
          type: "string",
          enum: transcriptionFormats,
          default: "json",
          description: "Format of the text.",
        },
        language: { type: "string", maxLength: 16, description: "Accepted, without effect." },
        prompt: { type: "string", maxLength: MAX_TEXT_LENGTH, description: "Magic words only." },
        temperature: { type: "number", minimum: 0, maximum: 1, description: "Accepted, without effect." },
      },
    },
    pricing_tiers: [{ match: {}, price_usd: 0.005 }],
    routes: [{ provider: "sandbox", upstream_model: "sandbox-transcription" }],
  },
];
