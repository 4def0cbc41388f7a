import { Link } from "./ui/link";
import { Notice } from "./ui/notice";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <Notice title="Page not found" heading="h1">
        Go to the{" "}
        <Link className="text-accent underline" href="/overview">
          console
        </Link>{" "}
        or read the{" "}
        <Link className="text-accent underline" href="/docs">
          documentation
        </Link>
        .
      </Notice>
    </main>
  );
}
