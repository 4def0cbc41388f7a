"use client";

import { useEffect, useRef, useState } from "react";
import { type StoredFile, useUploads } from "../upload/use-uploads";

/** Returns the uploads and actions of a field of URLs; finished uploads are added to it. `limit` is per upload, in bytes. */
export function useFileUrls(value: string[], onChange: (value: string[]) => void, limit: number) {
  const [stored, setStored] = useState<StoredFile[]>([]);
  // An upload may end after later changes, so it is added to the latest value.
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
    /** How many files are being uploaded; those that failed take no room. */
    uploading: uploads.filter(({ error }) => error === undefined).length,
    upload,
    add,
    remove: (index: number) => set(latest.current.filter((_, at) => at !== index)),
    /** Returns the file of a URL; undefined unless it was uploaded here. */
    fileOf: (url: string) => stored.find((file) => file.url === url),
  };
}
