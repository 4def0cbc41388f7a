import Link from "next/link";

export default function NotFound() {
  return (
    <section className="hero">
      <h1>There is no such page</h1>
      <p>
        The <Link href="/docs">documentation</Link> lists what there is.
      </p>
    </section>
  );
}
