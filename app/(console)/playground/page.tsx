import type { Metadata } from "next";
import { readId } from "@/server/domain/characters/id";
import { getStoredGeneration } from "@/server/domain/generations/get";
import { listModels } from "@/server/domain/models/list";
import { isAppError } from "@/server/errors";
import type { Session } from "@/server/trpc/procedure";
import { requireSession } from "../../session/current";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Notice } from "../../ui/notice";
import { type ReadSearch, readerOf, type SearchParams } from "../../ui/search";
import { Playground } from "./playground";
import { readChat } from "./read-chat";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requireSession();
  const given = await readPrefill(session, await readerOf(searchParams));
  const ids = listModels(session).map(({ id }) => id);
  const model = ids.find((id) => id === given.model) ?? ids[0];
  if (model === undefined) {
    return <Notice title="No models yet">This hub’s administrator hasn’t added any.</Notice>;
  }
  const input = model === given.model ? given.input : {};
  const queries = [
    trpc.models.list.queryOptions(),
    trpc.models.get.queryOptions({ id: model }),
    trpc.characters.usable.queryOptions({ model }),
    trpc.account.get.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <Playground
        start={{ model, input, chat: readChat(input) }}
        base={session.env.BASE_URL}
        mostBytes={session.env.UPLOAD_MAX_BYTES}
      />
    </Prefetch>
  );
}

/** What to begin with: a model by its id, perhaps with a character, or the account's generation to make once more. */
async function readPrefill(session: Session, read: ReadSearch) {
  const character = readId(read("character") ?? "");
  const named = { model: read("model"), input: character === null ? {} : { character } };
  const id = read("generation");
  if (id === null) return named;
  try {
    const { model, input } = await getStoredGeneration(session, id);
    return { model, input };
  } catch (error) {
    if (isAppError(error)) return named;
    throw error;
  }
}
