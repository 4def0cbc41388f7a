import { Prefetch, trpc } from "../../trpc/prefetch";
import { Members } from "./members";

export const metadata = { title: "Members" };

export default function MembersPage() {
  return (
    <Prefetch queries={[trpc.members.list.queryOptions(), trpc.account.get.queryOptions()]}>
      <Members />
    </Prefetch>
  );
}
