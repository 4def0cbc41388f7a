import type { Metadata } from "next";
import { Explorer } from "./explorer";

export const metadata: Metadata = { title: "API explorer" };

/** Shows the API description in Scalar, which is loaded on this page only. */
export default function ExplorerPage() {
  return (
    <div className="explorer">
      <p className="border-b border-line px-6 py-2 text-sm leading-6 text-soft">
        Requests sent from here are real: generations, chats and trainings are charged to your balance.
      </p>
      <Explorer />
    </div>
  );
}
