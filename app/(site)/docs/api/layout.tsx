import type { ReactNode } from "react";
import { SharedLanguage } from "../../../code-samples/codes";
import { listedOperations } from "../listed-operation";
import { Contents } from "./contents";
import { RevokeOnLeave } from "./try-it/temporary-key";

/** Lays out a page of the reference beside its contents. The language of the samples stays across its pages. */
export default function ReferenceLayout({ children }: { children: ReactNode }) {
  return (
    <div className="reference">
      <RevokeOnLeave />
      <Contents operations={listedOperations} />
      <SharedLanguage>{children}</SharedLanguage>
    </div>
  );
}
