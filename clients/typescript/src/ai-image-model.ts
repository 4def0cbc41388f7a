import type { ImageModelV3, ImageModelV3CallOptions, ImageModelV3File, SharedV3Warning } from "@ai-sdk/provider";
import type { GenerationHub } from "./client.js";
import type { Model, ModelInput } from "./types.js";

interface Parameter {
  type?: string;
  format?: string;
  enum?: unknown[];
  items?: Parameter;
}

/** Creates an image model of the AI SDK that runs generations of the hub. */
export function createImageModel(hub: GenerationHub, provider: string, modelId: string): ImageModelV3 {
  let loading: Promise<Model> | undefined;
  return {
    specificationVersion: "v3",
    provider,
    modelId,
    // The AI SDK makes one call for each image, because models name the parameter for the number of images differently.
    maxImagesPerCall: 1,
    async doGenerate(options) {
      const { abortSignal: signal } = options;
      loading ??= hub.model(modelId, { signal }).catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      const { input, warnings } = toInput((await loading).parameters_schema, options, provider);
      const headers = definedHeaders(options.headers);
      const generation = await hub.run(modelId, input, { signal, headers });
      const images = await Promise.all(
        generation.outputs
          .filter(({ media_type }) => media_type.startsWith("image/"))
          .map(async (output) => new Uint8Array(await (await hub.download(output, { signal })).arrayBuffer())),
      );
      return {
        images,
        warnings,
        providerMetadata: {
          [provider]: { images: generation.outputs.map(({ url }) => ({ url, generation: generation.id })) },
        },
        response: { timestamp: new Date(generation.created_at), modelId, headers: undefined },
      };
    },
  };
}

const definedHeaders = (headers: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Maps what the AI SDK asks for to the model's own parameters, and warns of what the model does not have. */
function toInput(schema: Model["parameters_schema"], options: ImageModelV3CallOptions, provider: string) {
  const parameters = new Map(Object.entries((schema.properties ?? {}) as Record<string, Parameter>));
  const warnings: SharedV3Warning[] = [];
  const input: ModelInput = {};
  const setParameter = (feature: string, name: string, value: unknown) => {
    if (value === undefined) return;
    if (parameters.has(name)) input[name] = value;
    else warnings.push({ type: "unsupported", feature, details: `The model has no parameter ${name}` });
  };
  setParameter("prompt", "prompt", options.prompt);
  setParameter("aspectRatio", "aspect_ratio", options.aspectRatio);
  setParameter("seed", "seed", options.seed);
  setParameter("mask", "mask", options.mask && toContent(options.mask));
  if (options.size && !parameters.has("size") && parameters.has("width") && parameters.has("height")) {
    const [width, height] = options.size.split("x").map(Number);
    Object.assign(input, { width, height });
  } else setParameter("size", "size", options.size);
  if (options.files?.length) {
    const files = options.files.map(toContent);
    const found = [...parameters].find(([name, one]) => name !== "mask" && (one.items ?? one).format === "uri");
    const [name, parameter] = found ?? ["image_input", undefined];
    setParameter("files", name, parameter?.items ? files : files[0]);
  }
  return { input: { ...input, ...options.providerOptions[provider] }, warnings };
}

/** Returns a URL, or the bytes for an upload. */
function toContent(file: ImageModelV3File): string | Uint8Array {
  if (file.type === "url") return file.url;
  if (typeof file.data !== "string") return file.data;
  return Uint8Array.from(atob(file.data), (character) => character.charCodeAt(0));
}
