import type { Metadata } from "next";
import { parseCharacterId } from "@/server/domain/characters/find-characters";
import { getStoredGeneration } from "@/server/domain/generations/get";
import { listModels } from "@/server/domain/models/offered-models";
import { isAppError } from "@/server/errors";
import type { Session } from "@/server/trpc/procedure";
import { exampleInputs } from "../../parameters/example-inputs";
import { requireSession } from "../../session/caller";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Notice } from "../../ui/notice";
import { type ReadSearch, createSearchReader, type SearchParams } from "../../ui/search";
import { Playground } from "./playground";
import { readChat } from "./read-chat";
import { readFileInput } from "./read-file-input";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requireSession();
  const read = await createSearchReader(searchParams);
  const prefill = (await readFileInput(session, read)) ?? (await readPrefill(session, read));
  const ids = listModels(session).map(({ id }) => id);
  const model = ids.find((id) => id === prefill.model) ?? ids[0];
  if (model === undefined) {
    return <Notice title="No models yet">This hub’s administrator hasn’t added any.</Notice>;
  }
  const input = model === prefill.model ? prefill.input : {};
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
        base={session.hub.env.BASE_URL}
        maxBytes={session.hub.env.UPLOAD_MAX_BYTES}
      />
    </Prefetch>
  );
}

/** Returns the model and input of the URL: a model id with an optional example and character, or an earlier generation. */
async function readPrefill(session: Session, read: ReadSearch) {
  const requested = readModel(session, read);
  const id = read("generation");
  if (id === null) return requested;
  try {
    const { model, input } = await getStoredGeneration(session, id);
    return { model, input };
  } catch (error) {
    if (isAppError(error)) return requested;
    throw error;
  }
}

function readModel(session: Session, read: ReadSearch) {
  const model = read("model");
  const { parametersSchema = {} } = listModels(session).find(({ id }) => id === model) ?? {};
  const example = exampleInputs(parametersSchema)[Number(read("example")) - 1]?.input;
  const character = parseCharacterId(read("character") ?? "");
  return { model, input: { ...example, ...(character !== null && { character }) } };
}
