import { getPageApi } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { parametersOf, takesFiles, typeOf } from "../../parameters/parameter";
import type { ReadSearch } from "../../ui/search";

/** Returns the first model that takes images, with the file of the URL as its input; null without a usable file. */
export async function readFileInput(session: Session, read: ReadSearch) {
  const id = read("file");
  if (id === null || !(await isImage(session, id))) return null;
  const { fileUrl, listModels } = await getPageApi();
  const url = fileUrl(session.hub, id);
  for (const model of listModels(session)) {
    const parameter = parametersOf(model.parametersSchema).find(takesFiles);
    if (model.isLlm || !parameter || !model.inputModalities.includes("image")) continue;
    return { model: model.id, input: { [parameter.name]: typeOf(parameter.schema) === "array" ? [url] : url } };
  }
  return null;
}

async function isImage(session: Session, id: string): Promise<boolean> {
  const { findFile, isAppError } = await getPageApi();
  try {
    return (await findFile(session, id)).media_type.startsWith("image/");
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}
