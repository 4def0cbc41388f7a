import { requireSession } from "../../../session/caller";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { CharacterDetail } from "./character-detail";

export const metadata = { title: "Character" };

export default async function CharacterPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.characters.get.queryOptions({ id }), trpc.account.get.queryOptions()]}>
      <CharacterDetail id={id} base={hub.env.BASE_URL} maxBytes={hub.env.UPLOAD_MAX_BYTES} />
    </Prefetch>
  );
}
