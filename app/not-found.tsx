import { Link } from "./ui/link";
import { Logo } from "./ui/logo";
import { Notice } from "./ui/notice";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center p-6">
      <Link href="/" className="flex items-center gap-2.5 font-semibold pointer-coarse:min-h-11">
        <Logo />
        Generation Hub
      </Link>
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
