/** A file as it is in a request or response. */
export interface InlineData {
  mimeType: string;
  data: string;
}

/** The body of `generateContent`. */
export interface GenerateContentRequest {
  contents: [{ role: "user"; parts: ({ text: string } | { inlineData: InlineData })[] }];
  generationConfig: Record<string, unknown>;
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/**
 * Returns the request for an input: `prompt` or `text` is its text; data URIs, which the hub makes of file parameters
 * whatever their names, are its pictures; `aspect_ratio` and `resolution` or `image_size` are its `imageConfig`; all else
 * is in `generationConfig`. Nulls and empty lists are left out, because the API rejects members that it does not know.
 */
export function buildRequest(input: Record<string, unknown>): GenerateContentRequest {
  const { prompt, text = prompt, aspect_ratio, resolution, image_size = resolution, ...others } = input;
  const files: InlineData[] = [];
  const config: [string, unknown][] = [];
  for (const [name, value] of Object.entries(others)) {
    const found = [value].flat().flatMap(readDataUri);
    if (found.length > 0) files.push(...found);
    else if (!isEmpty(value)) config.push([name, value]);
  }
  const texts = typeof text === "string" ? [{ text }] : [];
  return {
    contents: [{ role: "user", parts: [...texts, ...files.map((inlineData) => ({ inlineData }))] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      ...Object.fromEntries(config),
      ...buildImageConfig(aspect_ratio, image_size),
    },
  };
}

function readDataUri(value: unknown): InlineData[] {
  const [header, mimeType] = typeof value === "string" ? (DATA_URI.exec(value) ?? []) : [];
  return header && mimeType ? [{ mimeType, data: (value as string).slice(header.length) }] : [];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function buildImageConfig(aspectRatio: unknown, size: unknown): { imageConfig?: Record<string, unknown> } {
  // The API knows 1K, but not 1k.
  const imageSize = typeof size === "string" ? size.replace(/k$/, "K") : size;
  const imageConfig = {
    ...(!isEmpty(aspectRatio) && { aspectRatio }),
    ...(!isEmpty(imageSize) && { imageSize }),
  };
  return Object.keys(imageConfig).length > 0 ? { imageConfig } : {};
}
