import { Blob } from "node:buffer";
import { FormData } from "undici";
import type { ProviderIo, ProviderUpload } from "../provider";

/**
 * Returns an input as a multipart form, with the contents of the parameters in `fileNames`. A list is written as
 * `name[]`, a member of an object as `name[member]`. Throws InputUnavailable.
 */
export async function buildForm(
  input: Record<string, unknown>,
  fileNames: string[],
  io: Pick<ProviderIo, "readFile">,
): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(input)) {
    for (const [field, item] of flatten(name, value)) {
      if (fileNames.includes(name)) appendFile(form, field, await io.readFile(item));
      else form.append(field, item);
    }
  }
  return form;
}

function flatten(name: string, value: unknown): [field: string, value: string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => flatten(`${name}[]`, item));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([member, item]) => flatten(`${name}[${member}]`, item));
  return [[name, `${value as string | number | boolean}`]];
}

function appendFile(form: FormData, field: string, { content, mediaType, name }: ProviderUpload): void {
  form.append(field, new Blob([content], { type: mediaType }), name);
}
