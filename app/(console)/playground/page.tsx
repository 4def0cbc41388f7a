import type { Metadata } from "next";
import { cookies } from "next/headers";
import { getPageApi } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { exampleInputs } from "../../parameters/example-inputs";
import { requireSession } from "../../session/caller";
import { parseRecentModels, RECENT_MODELS_COOKIE } from "../../storage/recent-models";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Notice } from "../../ui/notice";
import { type ReadSearch, createSearchReader, type SearchParams } from "../../ui/search";
import { readChat } from "./chat/read-chat";
import { decodeInput } from "./decode-input";
import { chooseFirstRun } from "./first-run";
import { Playground } from "./playground";
import { readFileInput } from "./read-file-input";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requireSession();
  const { listModels } = await getPageApi();
  const read = await createSearchReader(searchParams);
  const prefill = (await readFileInput(session, read)) ?? (await readPrefill(session, read));
  const ids = listModels(session).map(({ id }) => id);
  const recent = parseRecentModels((await cookies()).get(RECENT_MODELS_COOKIE)?.value, session.account.id);
  const model = [prefill.model, ...recent].find((one) => one !== null && ids.includes(one)) ?? ids[0];
  if (model === undefined) {
    return <Notice title="No models yet">This hub’s administrator hasn’t added any.</Notice>;
  }
  const input = model === prefill.model ? prefill.input : {};
  const queries = [
    trpc.models.list.queryOptions(),
    trpc.models.get.queryOptions({ id: model }),
    trpc.characters.usable.queryOptions({ model }),
    trpc.account.get.queryOptions(),
    trpc.playground.recentRuns.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <Playground
        // Another link fills the form anew.
        key={JSON.stringify([model, input])}
        start={{ model, input, chat: readChat(input), isPrefilled: Object.keys(input).length > 0 }}
        recentModels={recent}
        accountId={session.account.id}
        base={session.hub.env.BASE_URL}
        maxBytes={session.hub.env.UPLOAD_MAX_BYTES}
      />
    </Prefetch>
  );
}

/**
 * Returns the model and input of the URL: a model id with an optional input, example and character, an earlier generation,
 * or with `first` what to try first.
 */
async function readPrefill(session: Session, read: ReadSearch) {
  const first = read("first") === null ? null : await chooseFirstRun(session);
  if (first) return first;
  const id = read("generation");
  if (id === null) return readModel(session, read);
  const { getStoredGeneration, isAppError } = await getPageApi();
  try {
    const { model, input } = await getStoredGeneration(session, id);
    return { model, input };
  } catch (error) {
    if (isAppError(error)) return readModel(session, read);
    throw error;
  }
}

async function readModel(session: Session, read: ReadSearch) {
  const { findTriggerWord, listModels, parseCharacterId } = await getPageApi();
  const model = read("model");
  const { parametersSchema = {} } = listModels(session).find(({ id }) => id === model) ?? {};
  const example = exampleInputs(parametersSchema)[Number(read("example")) - 1]?.input;
  const shared = decodeInput(read("input"));
  const character = parseCharacterId(read("character") ?? "");
  if (character === null) return { model, input: { ...example, ...shared } };
  const word = await findTriggerWord(session, character);
  return { model, input: { ...(word !== null && { prompt: `${word} ` }), ...example, ...shared, character } };
}
