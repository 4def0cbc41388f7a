import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Providers } from "./providers";

export const metadata = { title: "Providers" };

export default function ProvidersPage() {
  return (
    <Prefetch queries={[trpc.admin.providers.list.queryOptions()]}>
      <Providers />
    </Prefetch>
  );
}
