import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Tokens } from "./tokens";

export const metadata = { title: "API tokens" };

export default function TokensPage() {
  return (
    <Prefetch queries={[trpc.admin.tokens.list.queryOptions()]}>
      <Tokens />
    </Prefetch>
  );
}
