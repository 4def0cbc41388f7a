/** A baseline: the smallest Next page. */
export const dynamic = "force-dynamic";
export default function EmptyPage() {
  return <p>There is nothing on this page but a sentence.</p>;
}
