/** The least a page can show: a baseline for what one sees of a page. */
export const dynamic = "force-dynamic";
export default function EmptyPage() {
  return <p>There is nothing on this page but a sentence.</p>;
}
