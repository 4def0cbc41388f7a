import { findCaller } from "../../../../session/caller";
import { getHub, getPageApi } from "@/server/hub";

const notFound = () => new Response("There is no such sample.", { status: 404 });

/** Serves a sample picture to everybody who may use its model, and one of the home page to everybody. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const { findSample, listModels } = await getPageApi();
  const sample = await findSample(await getHub(), id);
  if (!sample) return notFound();
  const { session } = await findCaller();
  if (!sample.isPublic && !(session && listModels(session).some((model) => model.id === sample.model)))
    return notFound();
  return new Response(new Uint8Array(sample.picture), {
    headers: {
      "Content-Type": "image/webp",
      // The content of an id never changes.
      "Cache-Control": "private, max-age=31536000, immutable",
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
