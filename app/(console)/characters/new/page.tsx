import { requireSession } from "../../../session/caller";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { NewCharacter } from "./new-character";

export const metadata = { title: "Create a character" };

export default async function NewCharacterPage() {
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.characters.baseModels.queryOptions(), trpc.account.get.queryOptions()]}>
      <NewCharacter maxBytes={hub.env.UPLOAD_MAX_BYTES} />
    </Prefetch>
  );
}
