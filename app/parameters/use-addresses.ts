"use client";

import { useEffect, useRef, useState } from "react";
import type { StoredFile } from "../upload/upload-file";
import { useUploads } from "../upload/use-uploads";

/** The addresses in a field, to which uploads are added as they end. `limit` is of an upload, in bytes. */
export function useAddresses(value: string[], onChange: (value: string[]) => void, limit: number) {
  const [stored, setStored] = useState<StoredFile[]>([]);
  // An upload ends long after it was begun: it joins what is there by then.
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  const set = (all: string[]) => {
    latest.current = all;
    onChange(all);
  };
  const add = (url: string) => set([...latest.current, url]);
  const { uploads, add: upload } = useUploads(limit, (file) => {
    setStored((all) => [...all, file]);
    add(file.url);
  });
  return {
    uploads,
    upload,
    add,
    remove: (index: number) => set(latest.current.filter((_, at) => at !== index)),
    /** The file behind an address; undefined when it was not uploaded here. */
    fileOf: (url: string) => stored.find((file) => file.url === url),
  };
}
