import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Books } from "./books";

export const metadata = { title: "Price books" };

export default function BooksPage() {
  return (
    <Prefetch queries={[trpc.admin.books.get.queryOptions()]}>
      <Books />
    </Prefetch>
  );
}
