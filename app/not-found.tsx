import { Link } from "./ui/link";
import { Notice } from "./ui/notice";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <Notice title="There is no such page" heading="h1">
        The{" "}
        <Link className="text-accent underline" href="/overview">
          console
        </Link>{" "}
        and the{" "}
        <Link className="text-accent underline" href="/docs">
          documentation
        </Link>{" "}
        list what there is.
      </Notice>
    </main>
  );
}
