"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Notice } from "../../ui/notice";
import { Pager, useCursor } from "../../ui/pager";
import { Segments } from "../../ui/segments";
import { FileTable } from "./file-table";

const kinds = [
  { value: "all", label: "All" },
  { value: "upload", label: "Uploads" },
  { value: "output", label: "Outputs" },
] as const;
type Kind = (typeof kinds)[number]["value"];

const empty: Record<Kind, string> = {
  all: "No files yet",
  upload: "No uploads yet",
  output: "No outputs yet",
};

/** Lists the account's files, with pagination. */
export function FileList() {
  const [kind, setKind] = useState<Kind>("all");
  const pager = useCursor();
  const input = { kind: kind === "all" ? undefined : kind, cursor: pager.cursor };
  const { data, error, refetch } = useQuery({
    ...useTRPC().files.list.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  const change = (next: Kind) => {
    setKind(next);
    pager.reset();
  };
  return (
    <Card flush title="Stored" action={<Segments label="Show" options={kinds} value={kind} onChange={change} />}>
      {!data ? (
        <Notice
          title="The files could not be loaded"
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {errorsOf(error)?.message}
        </Notice>
      ) : data.data.length > 0 ? (
        <FileTable files={data.data} />
      ) : (
        <Notice title={empty[kind]} icon={<FolderOpen size={20} />}>
          {pager.isFirst
            ? "Upload an image and use its URL as an input. Outputs appear here too."
            : "The files on this page have expired."}
        </Notice>
      )}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}
