import { cookies } from "next/headers";
import { getPageApi } from "@/server/hub";
import { requireSession } from "../../session/caller";
import { parseRecentModels, RECENT_MODELS_COOKIE } from "../../storage/recent-models";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Notice } from "../../ui/notice";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { readChat } from "./chat/read-chat";
import { Playground } from "./playground";
import { readPrefill } from "./read-prefill";

export const metadata = { title: "Playground" };

export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requireSession();
  const { listModels } = await getPageApi();
  const read = await createSearchReader(searchParams);
  const prefill = await readPrefill(session, read);
  const ids = listModels(session).map(({ id }) => id);
  const recent = parseRecentModels((await cookies()).get(RECENT_MODELS_COOKIE)?.value, session.account.id);
  const model = [prefill.model, ...recent].find((one) => one !== null && ids.includes(one)) ?? ids[0];
  if (model === undefined) {
    return <Notice title="No models yet">This hub’s operator hasn’t added any.</Notice>;
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
        // Another link resets the form.
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
