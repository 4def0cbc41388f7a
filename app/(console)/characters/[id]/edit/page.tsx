import { requireSession } from "../../../../session/caller";
import { Prefetch, trpc } from "../../../../trpc/prefetch";
import { EditCharacter } from "./edit-character";

export const metadata = { title: "Edit a character" };

export default async function EditCharacterPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.characters.get.queryOptions({ id }), trpc.characters.baseModels.queryOptions()]}>
      <EditCharacter id={id} maxBytes={hub.env.UPLOAD_MAX_BYTES} />
    </Prefetch>
  );
}
