import { Prefetch, trpc } from "../../trpc/prefetch";
import { Characters } from "./characters";

export const metadata = { title: "Characters" };

export default function CharactersPage() {
  return (
    <Prefetch queries={[trpc.characters.list.queryOptions({})]}>
      <Characters />
    </Prefetch>
  );
}
