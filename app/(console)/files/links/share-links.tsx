"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { ConfirmedButton } from "../../../ui/dialog";
import { FileIcon, FileThumbnail } from "../../../ui/file-thumbnail";
import { useFormats } from "../../../ui/formats-context";
import { Link } from "../../../ui/link";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { ownPath } from "../../../ui/own-path";
import { Pager, useCursor } from "../../../ui/pager";
import { ActionTable, Td } from "../../../ui/table";
import { Count, TimeAgo, TimeUntil } from "../../../ui/values";
import { describeFile } from "../types";

type ShareLink = Outputs["shares"]["list"]["data"][number];

/** Lists the account's share links with their views. */
export function ShareLinks() {
  const pager = useCursor();
  const query = useQuery({
    ...useTRPC().shares.list.queryOptions({ cursor: pager.cursor }),
    placeholderData: keepPreviousData,
  });
  const links = query.data?.data ?? [];
  return (
    <Card flush title="Links">
      {!query.data && <NotLoaded what="The list" query={query} />}
      {query.data && links.length === 0 && <NoLinks />}
      {links.length > 0 && (
        <ActionTable
          label="Share links"
          columns={[
            { title: "Output" },
            { title: "Status", className: "max-sm:hidden" },
            { title: "Views", className: "text-right max-sm:hidden" },
            { title: "Last viewed", className: "max-lg:hidden" },
            { title: "Prompt", className: "max-lg:hidden" },
          ]}
        >
          {links.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ActionTable>
      )}
      <Pager pager={pager} next={query.data?.next_cursor} />
    </Card>
  );
}

const NoLinks = () => (
  <Notice
    heading="h3"
    title="No share links yet"
    icon={<Link2 size={20} />}
    action={
      <Button asChild>
        <Link href="/generations">View generations</Link>
      </Button>
    }
  >
    Share an output from its generation to show it to people without an account.
  </Notice>
);

function LinkRow({ link }: { link: ShareLink }) {
  const { file, generation_id, state, shows_prompt, views, last_viewed_at } = link;
  const name = describeFile(file, useFormats());
  return (
    <tr>
      <Td className="w-full max-w-0">
        <span className="flex items-center gap-3">
          {state === "removed" ? (
            <FileIcon mediaType={file.media_type} size={18} />
          ) : (
            <FileThumbnail path={ownPath(file.url)} mediaType={file.media_type} size={file.size} />
          )}
          <span className="grid min-w-0 leading-5">
            <Link href={`/generations/${generation_id}`} className="truncate font-medium hover:underline" title={name}>
              {name}
            </Link>
            <span className="truncate text-xs text-soft">
              shared <TimeAgo at={link.created_at} />
            </span>
            <span className="mt-1 flex flex-wrap gap-x-2 text-xs text-soft sm:hidden">
              <LinkStatus link={link} />
              <span>
                <Count value={views} /> {views === 1 ? "view" : "views"}
              </span>
            </span>
          </span>
        </span>
      </Td>
      <Td className="max-sm:hidden">
        <LinkStatus link={link} />
      </Td>
      <Td className="text-right tabular-nums max-sm:hidden">
        <Count value={views} />
      </Td>
      <Td className="text-soft max-lg:hidden">{last_viewed_at ? <TimeAgo at={last_viewed_at} /> : "Never"}</Td>
      <Td className="text-soft max-lg:hidden">{shows_prompt ? "Shown" : "Hidden"}</Td>
      <Td className="text-right">{state === "active" && <RevokeLink id={link.id} name={name} />}</Td>
    </tr>
  );
}

const endings = { expired: "Expired", revoked: "Revoked", removed: "File removed" };

const LinkStatus = ({ link: { state, expires_at } }: { link: ShareLink }) =>
  state === "active" ? (
    <span className="flex flex-wrap items-center gap-x-2">
      <Badge tone="good">Active</Badge>
      <span className="text-xs text-soft">
        ends <TimeUntil at={expires_at} />
      </span>
    </span>
  ) : (
    <Badge tone="neutral">{endings[state]}</Badge>
  );

/** Revokes a link after a confirmation. */
function RevokeLink({ id, name }: { id: string; name: string }) {
  const revoke = useHubMutation((trpc) => trpc.shares.revoke, {
    invalidates: (trpc) => [trpc.shares.pathFilter()],
    successToast: "Link revoked.",
  });
  return (
    <ConfirmedButton
      needs="develop"
      label={`Revoke link to ${name}`}
      busy={revoke.isPending}
      title="Revoke this link?"
      verb="Revoke link"
      question="Nobody can open it any more. This cannot be undone, but you can share the output again."
      onConfirm={() => revoke.mutate({ id })}
    >
      Revoke
    </ConfirmedButton>
  );
}
