"use client";

import { Eye } from "lucide-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { useFormats } from "../ui/formats-context";

interface Props {
  /** The name or contact address of the account. */
  account: string;
  /** ISO 8601. */
  until: string;
  showsContent: boolean;
}

/** Shows whose account is viewed and until when, with a button that ends the view. */
export function ViewBanner({ account, until, showsContent }: Props) {
  const { dateTime } = useFormats();
  const { mutate: stop, isPending } = useMutation(useTRPC().views.stop.mutationOptions({ onSettled: leave }));
  useEffect(() => {
    const timer = setTimeout(leave, Math.max(0, Date.parse(until) - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return (
    <div
      role="status"
      className="sticky top-0 z-40 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-warning bg-warning-wash px-4 py-2 text-sm text-warning"
    >
      <Eye size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
        You are viewing {account} until {dateTime(until)}. You can’t change anything
        {!showsContent && ", and prompts, outputs and files are hidden"}.
      </span>
      <Button busy={isPending} onClick={() => stop()}>
        Stop viewing
      </Button>
    </div>
  );
}

/** Loads the page again, so that no data of the account stays in memory. */
const leave = () => window.location.assign("/admin/accounts");
