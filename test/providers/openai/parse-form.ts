import type { DoubleRequest } from "../double";

/** A file of a form. */
export interface FormFile {
  name: string;
  type: string;
  content: Buffer;
}

export interface ParsedForm {
  /** The members: files as their names and types, lists with all items, numbers as texts. */
  fields: Record<string, unknown>;
  files: FormFile[];
}

/** Parses a multipart body, with lists as `name[]` and members of objects as `name[member]`. */
export async function parseForm({ body, headers }: DoubleRequest): Promise<ParsedForm> {
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": headers["content-type"]! },
  }).formData();
  const fields: Record<string, unknown> = {};
  const files: FormFile[] = [];
  for (const [key, value] of form) {
    const [, name = key, member] = /^(\w+)\[(\w*)\]$/.exec(key) ?? [];
    if (typeof value !== "string")
      files.push({ name: value.name, type: value.type, content: Buffer.from(await value.arrayBuffer()) });
    const item = typeof value === "string" ? value : { name: value.name, type: value.type };
    if (member === undefined) fields[name] = item;
    else if (member === "") fields[name] = [...((fields[name] as unknown[] | undefined) ?? []), item];
    else fields[name] = { ...(fields[name] as object | undefined), [member]: item };
  }
  return { fields, files };
}
