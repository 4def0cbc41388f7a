import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type DirectAccess, StorageUnavailable } from "./storage";

const CHECKSUM_HEADER = "x-amz-checksum-sha256";

interface Bucket {
  client: S3Client;
  /** Returns where a key of the storage is. */
  toObject: (key: string) => { Bucket: string; Key: string };
  /** Returns where staged content is: apart from everything that the hub serves. */
  toStaged: (id: string) => { Bucket: string; Key: string };
}

/** Opens what clients may do in a bucket without the hub in between. */
export function openDirectAccess({ client, toObject, toStaged }: Bucket): DirectAccess {
  const measure = async (object: { Bucket: string; Key: string }) => {
    try {
      return await client.send(new HeadObjectCommand({ ...object, ChecksumMode: "ENABLED" }));
    } catch (error) {
      if ((error as Error).name === "NotFound") return null;
      throw toUnavailable(error);
    }
  };
  return {
    async signUpload(id, { size, sha256 }, seconds) {
      const checksum = sha256.toString("base64");
      const command = new PutObjectCommand({ ...toStaged(id), ChecksumSHA256: checksum, ContentLength: size });
      // As a header, the hash is part of the request that the storage checks; in the address some do not look at it.
      const url = await getSignedUrl(client, command, {
        expiresIn: seconds,
        unhoistableHeaders: new Set([CHECKSUM_HEADER]),
      });
      return { url, headers: { [CHECKSUM_HEADER]: checksum } };
    },

    async measureStaged(id) {
      return (await measure(toStaged(id)))?.ContentLength ?? null;
    },

    async publish(id, key) {
      const { Bucket, Key } = toStaged(id);
      const source = `${Bucket}/${Key}`.split("/").map(encodeURIComponent).join("/");
      const command = new CopyObjectCommand({ ...toObject(key), CopySource: source, ChecksumAlgorithm: "SHA256" });
      await client.send(command).catch(throwUnavailable);
    },

    async describe(key) {
      const found = await measure(toObject(key));
      if (!found) return null;
      const { ContentLength: size = 0, ChecksumSHA256: checksum } = found;
      return { size, sha256: checksum ? Buffer.from(checksum, "base64") : null };
    },

    async removeStaged(id) {
      await client.send(new DeleteObjectCommand(toStaged(id))).catch(throwUnavailable);
    },

    signDownload: (key, { type, disposition }, seconds) =>
      getSignedUrl(
        client,
        new GetObjectCommand({ ...toObject(key), ResponseContentType: type, ResponseContentDisposition: disposition }),
        { expiresIn: seconds },
      ),
  };
}

const toUnavailable = (cause: unknown) => new StorageUnavailable("The storage does not respond.", { cause });

function throwUnavailable(cause: unknown): never {
  throw toUnavailable(cause);
}
